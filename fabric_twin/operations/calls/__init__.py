"""Calls for workers: none is lost, and a job that no worker runs is ended.

job_lease       a worker has a job: it says so every few seconds, and nobody runs it twice
lost_jobs       what nobody runs any more is ended in words, what nobody heard is called again
hand_on         a worker leaves a job to the queue of its pod, or to who may reach it
job_properties  what Nautobot tells a worker of a job comes over RabbitMQ too
heartbeat       `watch_fabric` says that it is there, or was stopped
"""
