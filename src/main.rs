//! The command line's entry: everything is in [`breach::cli`].
fn main() -> std::process::ExitCode {
    breach::cli::main()
}
