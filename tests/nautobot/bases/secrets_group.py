"""A secrets group by Nautobot's own provider of environment variables."""

from nautobot.extras.models import Secret, SecretsGroup, SecretsGroupAssociation


def make_group(name: str = "switches", **variables: str) -> SecretsGroup:
    """A group whose secrets are environment variables, by access and secret type."""
    group = SecretsGroup.objects.create(name=name)
    for kinds, variable in variables.items():
        access_type, _, secret_type = kinds.partition("_")
        secret = Secret.objects.create(
            name=kinds if name == "switches" else f"{name} {kinds}",
            provider="environment-variable",
            parameters={"variable": variable},
        )
        SecretsGroupAssociation.objects.create(
            secrets_group=group, access_type=access_type, secret_type=secret_type, secret=secret
        )
    return group
