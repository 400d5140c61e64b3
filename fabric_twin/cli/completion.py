"""`fabric-twin completion`."""

import click
from click.shell_completion import ShellComplete, get_completion_class


@click.command(
    epilog='\b\nExamples:\n  eval "$(fabric-twin completion bash)"\n'
    "  fabric-twin completion fish > ~/.config/fish/completions/fabric-twin.fish"
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Write the shell completion script."""
    kind = get_completion_class(shell) or ShellComplete
    root = ctx.find_root().command
    click.echo(kind(root, {}, "fabric-twin", "_FABRIC_TWIN_COMPLETE").source())
