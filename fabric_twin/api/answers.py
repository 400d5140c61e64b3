"""Answers of REST that are no records: documents, sums, what was released."""

from typing import Any

from rest_framework import serializers


class _CubePlaceSerializer(serializers.Serializer[Any]):
    """A cube's place in a slice, counted in cubes from 0, and its slot."""

    at = serializers.ListField(child=serializers.IntegerField(min_value=0))
    slot = serializers.IntegerField(min_value=1)


class _CircuitSerializer(serializers.Serializer[Any]):
    """A circuit by the names of its switch and ports."""

    switch = serializers.CharField()
    a = serializers.CharField(help_text="Such as 7A")
    b = serializers.CharField(help_text="Such as 9B")


class CapacitySerializer(serializers.Serializer[Any]):
    """What is left of each axis of a slice: the share of the links at its worst join."""

    x = serializers.FloatField()
    y = serializers.FloatField(required=False)
    z = serializers.FloatField(required=False)


class _NotMadeSerializer(_CircuitSerializer):
    """A circuit that the slice does without."""

    why = serializers.CharField()


class _DetourSerializer(serializers.Serializer[Any]):
    """How the traffic of a circuit goes that is not made."""

    axis = serializers.CharField()
    lost = _CircuitSerializer()
    via = _CircuitSerializer()
    way = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Slot, x, y and z of each chip on the way",
    )


class SliceCircuitsSerializer(serializers.Serializer[Any]):
    """A slice as `fabric-twin slice --json` writes it."""

    version = serializers.IntegerField()
    name = serializers.CharField()
    shape = serializers.CharField()
    twisted = serializers.BooleanField()
    cubes = _CubePlaceSerializer(many=True)
    circuits = _CircuitSerializer(many=True, required=False)
    chips = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        required=False,
        help_text="Under a cube: slot, x, y and z of each chip",
    )
    rings = serializers.DictField(
        required=False,
        help_text="Of a cluster's job: what it asked for, each ring with its entries in order, and "
        "those that are missing",
    )
    without = _NotMadeSerializer(many=True, required=False)
    capacity = CapacitySerializer(required=False)
    detours = _DetourSerializer(many=True, required=False)
    slowest_link = serializers.FloatField(required=False)


class _StationSerializer(serializers.Serializer[Any]):
    """A thing that the light passes."""

    what = serializers.CharField(help_text="port, cable, switch port or circuit")
    name = serializers.CharField(
        help_text="A record that you may not see has the name that the rule gives it"
    )
    more = serializers.CharField(help_text="A length, a slice, or that it is unhealthy")
    page = serializers.CharField(
        allow_null=True, help_text="The address of its page, if you may see it"
    )


class LightPathSerializer(serializers.Serializer[Any]):
    """What the light of a port passes, from the cube on."""

    version = serializers.IntegerField()
    pod = serializers.CharField()
    arrives = serializers.BooleanField(help_text="Whether it ends at another cube as it should")
    wrong = serializers.CharField(help_text="Why it does not, or should not")
    findings_hidden = serializers.BooleanField(help_text="You may not see all findings")
    slice = serializers.CharField(
        allow_null=True, help_text="The slice that the circuit belongs to"
    )
    stations = _StationSerializer(many=True)


class UtilisationSerializer(serializers.Serializer[Any]):
    """How much of a pod is in use."""

    version = serializers.IntegerField()
    pod = serializers.CharField()
    slots = serializers.IntegerField(help_text="Of the design")
    cubes = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many cubes have each status"
    )
    uses = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Slots by their use: in a slice, free, held, parts only, out, no cube",
    )
    free_cubes = serializers.IntegerField(
        help_text="Cubes that a slice of whole cubes may take now"
    )
    chips = serializers.IntegerField(help_text="Of active cubes")
    chips_in_use = serializers.IntegerField(help_text="Of active cubes")
    utilisation = serializers.FloatField(help_text="Share of chips in use, from 0 to 1")
    slices = serializers.IntegerField()
    fits = serializers.CharField(help_text="What would fit now, in words")


class _PairSerializer(serializers.Serializer[Any]):
    """Two blocks of a network, and their links."""

    a = serializers.CharField(allow_null=True, help_text="null: a block that you may not see")
    b = serializers.CharField(allow_null=True)
    links = serializers.IntegerField(help_text="Circuits between them that you may see")
    left = serializers.IntegerField(help_text="How many of them work")
    asked_gbps = serializers.FloatField(
        allow_null=True, help_text="null: you may not see the demand"
    )
    carried_gbps = serializers.FloatField(help_text="What the links that work carry")
    load = serializers.FloatField(
        allow_null=True,
        help_text="Demand over what is carried. null: no link works, or you may not see the demand "
        "or all circuits",
    )


class _OddSerializer(serializers.Serializer[Any]):
    """Links of a pair on a switch that has too many of them, or too few."""

    a = serializers.CharField(allow_null=True)
    b = serializers.CharField(allow_null=True)
    switch = serializers.CharField(allow_null=True, help_text="null: you may not see it")
    links = serializers.IntegerField(help_text="On this switch")
    least = serializers.IntegerField(help_text="How many it should have")
    most = serializers.IntegerField()


class LinksSerializer(serializers.Serializer[Any]):
    """The links of a network of blocks, what is left of them, and their load."""

    version = serializers.IntegerField()
    network = serializers.CharField()
    demand = serializers.DateField(allow_null=True, help_text="The day of the demand that counts")
    demand_hidden = serializers.BooleanField(help_text="You may not see it")
    circuits_hidden = serializers.BooleanField(help_text="You may not see all circuits")
    circuits_of_no_pair = serializers.IntegerField(
        help_text="Circuits at ports of no block, or within one block"
    )
    pairs = _PairSerializer(many=True, help_text="Each pair that has links or asks for some")
    odd = _OddSerializer(many=True, allow_null=True, help_text="null: you may not see all circuits")


class ReleasedSerializer(serializers.Serializer[Any]):
    """What a release freed."""

    name = serializers.CharField()
    slots = serializers.ListField(child=serializers.IntegerField())
    circuits = serializers.IntegerField()
    still_seen = serializers.IntegerField(help_text="Circuits that the switches still show")
