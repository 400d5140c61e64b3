"""Moments in templates, as on every page of ours."""

from django import template

from fabric_twin.presenters.moments import local_moment

register = template.Library()
register.filter("moment", local_moment)
