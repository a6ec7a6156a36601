//! Invariants at the end of every tick, whatever the command. A state that breaks one must not go on: the recording up to
//! here is the bug report.
use super::simulation::Sim;

impl Sim {
    /// Asserts the invariants; those over all bodies in debug builds only.
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
            self.world.part_done().is_none() || !self.queue.is_empty(),
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
