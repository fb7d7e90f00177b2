/** Metrics, with names that the runtime chooses. */
import { enumField, messageField, messageListField, stringField, stringListField, timestampField } from './fields.js'
import { type InferMessage, message } from './message.js'
import { UInt64Value } from './values.js'

export const MetricType = ['COUNTER', 'GAUGE'] as const
export type MetricType = (typeof MetricType)[number]

export const ListMetricDescriptorsRequest = message({})
export interface ListMetricDescriptorsRequest extends InferMessage<typeof ListMetricDescriptorsRequest> {}

export const MetricDescriptor = message({
  name: stringField(1),
  help: stringField(2),
  labelKeys: stringListField(3),
})
export interface MetricDescriptor extends InferMessage<typeof MetricDescriptor> {}

export const ListMetricDescriptorsResponse = message({
  descriptors: messageListField<MetricDescriptor>(1, MetricDescriptor),
})
export interface ListMetricDescriptorsResponse extends InferMessage<typeof ListMetricDescriptorsResponse> {}

export const ListPodSandboxMetricsRequest = message({})
export interface ListPodSandboxMetricsRequest extends InferMessage<typeof ListPodSandboxMetricsRequest> {}

export const Metric = message({
  name: stringField(1),
  timestamp: timestampField(2),
  metricType: enumField(3, MetricType),
  labelValues: stringListField(4),
  value: messageField<UInt64Value>(5, UInt64Value),
})
export interface Metric extends InferMessage<typeof Metric> {}

export const ContainerMetrics = message({
  containerId: stringField(1),
  metrics: messageListField<Metric>(2, Metric),
})
export interface ContainerMetrics extends InferMessage<typeof ContainerMetrics> {}

export const PodSandboxMetrics = message({
  podSandboxId: stringField(1),
  metrics: messageListField<Metric>(2, Metric),
  containerMetrics: messageListField<ContainerMetrics>(3, ContainerMetrics),
})
export interface PodSandboxMetrics extends InferMessage<typeof PodSandboxMetrics> {}

export const ListPodSandboxMetricsResponse = message({
  podMetrics: messageListField<PodSandboxMetrics>(1, PodSandboxMetrics),
})
export interface ListPodSandboxMetricsResponse extends InferMessage<typeof ListPodSandboxMetricsResponse> {}

export const StreamPodSandboxMetricsRequest = message({})
export interface StreamPodSandboxMetricsRequest extends InferMessage<typeof StreamPodSandboxMetricsRequest> {}

export const StreamPodSandboxMetricsResponse = message({
  podSandboxMetrics: messageListField<PodSandboxMetrics>(1, PodSandboxMetrics),
})
export interface StreamPodSandboxMetricsResponse extends InferMessage<typeof StreamPodSandboxMetricsResponse> {}
