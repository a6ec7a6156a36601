//! The command line.
/// Runs the program; exit code 0 done, 1 bad input or failed check, 2 wrong usage.
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
