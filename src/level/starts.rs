//! Classes of player starts: one table for all games.

/// Classes of starts in lower case, with the rank in which they are tried: single player first.
#[rustfmt::skip]
const STARTS: &[(u8, &[&str])] = &[
    (0, &["info_player_start"]),
    (1, &["info_player_coop"]),
    (2, &["info_player_deathmatch"]),
    // Quake: behind the last episode; QuakeWorld's and Quake 2's teams, Ground Zero.
    (3, &["info_player_start2", "testplayerstart", "info_player_team1", "info_player_team2", "info_player_coop_lava"]),
    // Half-Life and its mods: Counter-Strike's VIP, Team Fortress, Day of Defeat, Opposing Force.
    (3, &["info_vip_start", "info_player_teamspawn", "info_player_allies", "info_player_axis", "info_ctfspawn"]),
    // Quake 3: capture the flag, at first and later on; Urban Terror; OpenArena.
    (3, &["team_ctf_redplayer", "team_ctf_blueplayer", "team_ctf_redspawn", "team_ctf_bluespawn", "info_ut_spawn",
        "info_player_dd", "info_player_dd_red", "info_player_dd_blue"]),
    // Warsow, Nexuiz and Xonotic, Tremulous and Unvanquished.
    (3, &["team_ctf_alphaplayer", "team_ctf_betaplayer", "team_ctf_alphaspawn", "team_ctf_betaspawn",
        "info_player_team3", "info_player_team4", "info_player_attacker", "info_player_defender",
        "team_human_spawn", "team_alien_spawn"]),
    // Jedi Knight, Medal of Honor, Soldier of Fortune 2, Call of Duty.
    (3, &["info_player_duel", "info_player_duel1", "info_player_duel2", "info_jedimaster_start",
        "info_player_siegeteam1", "info_player_siegeteam2", "info_player_allied", "gametype_player",
        "mp_deathmatch_spawn", "mp_teamdeathmatch_spawn"]),
    // Doom 3 and Quake 4.
    (3, &["info_player_team"]),
];

/// The rank of a class in the table.
pub(super) fn rank(class: &str) -> Option<u8> {
    let class = class.to_ascii_lowercase();
    let row = STARTS.iter().find(|row| row.1.contains(&class.as_str()));
    row.map(|row| row.0)
}

/// The rank of a class that is not in the table but has a name like a start: the last resort in a level without known
/// starts. Cameras have the last rank, as they are in odd positions.
pub(super) fn rank_by_pattern(class: &str) -> Option<u8> {
    let class = class.to_ascii_lowercase();
    let is_other = ["world", "trigger_", "target_", "func_", "light", "monster"]
        .iter()
        .any(|start| class.starts_with(start));
    let is_start = class.starts_with("info_player_") || class.contains("spawn");
    if is_other {
        None
    } else if is_start && class.ends_with("intermission") {
        Some(6)
    } else if is_start {
        Some(4)
    } else {
        class.starts_with("team_").then_some(5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_known_in_any_case_and_the_pattern_is_for_the_rest() {
        assert_eq!(rank("info_player_start"), Some(0));
        assert_eq!(rank("team_CTF_redspawn"), rank("team_ctf_redspawn"));
        assert_eq!(rank("info_player_intermission"), None);
        for (class, expected) in [
            ("info_player_hero", Some(4)),
            ("mp_sd_spawn_attacker", Some(4)),
            ("team_redobelisk", Some(5)),
            ("info_player_intermission", Some(6)),
            ("trigger_spawn", None),
            ("info_null", None),
            ("worldspawn", None),
        ] {
            assert_eq!(rank_by_pattern(class), expected, "{class}");
        }
    }
}
