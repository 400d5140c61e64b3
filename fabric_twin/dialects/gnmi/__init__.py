"""gNMI's messages and its service, made from what OpenConfig publishes.

`gnmi.proto` and `gnmi_ext.proto` are theirs, word for word (version 0.10.0, Apache-2.0), and
`make messages` compiles them into `gnmi.binpb`. The messages have a pool of their own: in the one
that a whole process shares, another package's gNMI of another version would fail.
"""

from importlib.resources import files
from types import SimpleNamespace
from typing import Any

import grpc
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message_factory import GetMessageClass

_COMPILED = files(__package__).joinpath("gnmi.binpb").read_bytes()
_POOL = DescriptorPool()
for _file in FileDescriptorSet.FromString(_COMPILED).file:
    _POOL.Add(_file)
_GNMI = _POOL.FindFileByName("gnmi.proto")
_SERVICE = _GNMI.services_by_name["gNMI"]
#: For who asks a server what it speaks: the name of the service, and where its messages are known.
SERVICE, POOL = _SERVICE.full_name, _POOL


def __getattr__(name: str) -> Any:
    """A message or an enumeration by its name, such as `Path` or `Encoding`."""
    made: Any
    if message := _GNMI.message_types_by_name.get(name):
        made = GetMessageClass(message)
    elif values := _GNMI.enum_types_by_name.get(name):
        made = EnumTypeWrapper(values)
    else:
        raise AttributeError(f"gNMI has no {name}")
    return globals().setdefault(name, made)


def calls_on(channel: Any) -> Any:
    """The methods of the service on a channel, each by its name."""
    return SimpleNamespace(
        **{
            method.name: (
                channel.stream_stream if method.client_streaming else channel.unary_unary
            )(
                f"/{_SERVICE.full_name}/{method.name}",
                request_serializer=GetMessageClass(method.input_type).SerializeToString,
                response_deserializer=GetMessageClass(method.output_type).FromString,
            )
            for method in _SERVICE.methods
        }
    )


def handlers(service: Any) -> Any:
    """What a server answers with: the methods of `service`, each by its name."""
    made = {}
    for method in _SERVICE.methods:
        kind = (
            grpc.stream_stream_rpc_method_handler
            if method.client_streaming
            else grpc.unary_unary_rpc_method_handler
        )
        made[method.name] = kind(
            getattr(service, method.name),
            request_deserializer=GetMessageClass(method.input_type).FromString,
            response_serializer=GetMessageClass(method.output_type).SerializeToString,
        )
    return grpc.method_handlers_generic_handler(_SERVICE.full_name, made)
