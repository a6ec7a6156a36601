//! What holds at the end of every tick, whatever it was told. A state that breaks it must not go on: the recording up to
//! here is the bug report.
use super::Sim;

impl Sim {
    /// Asserts it. What has to look at every body is asserted in debug builds.
    pub(super) fn check(&self) {
        let player = &self.player;
        assert!(player.eye.is_finite(), "the eye is at {}", player.eye);
        assert!(
            player.velocity.is_finite(),
            "it moves by {}",
            player.velocity
        );
        assert!(
            player.no_clip || self.eye_room.is_some(),
            "an eye that does not fly through walls is in the air, not at {}",
            player.eye
        );
        for rocket in &self.rockets {
            assert!(rocket.position.is_finite() && rocket.velocity.is_finite());
        }
        for grenade in &self.grenades {
            assert!(grenade.position.is_finite() && grenade.velocity.is_finite());
        }
        assert!(
            self.world.part_done().is_none() || !self.cuts.is_empty(),
            "what the world is at is the first of the queue"
        );
        assert!(
            self.history.undo_steps() <= self.level.since.len(),
            "every change that can be taken back is in what a save writes"
        );
        debug_assert!(
            self.bodies.iter().all(|body| {
                body.position.is_finite()
                    && body.velocity.is_finite()
                    && body.spin.is_finite()
                    && body.rotation.is_normalized()
            }),
            "a body is nowhere"
        );
        debug_assert_eq!(
            self.bodies.iter().filter(|body| !body.asleep).count(),
            self.bodies.awake(),
            "bodies awake are listed"
        );
    }
}
