/** Figures for monitoring, under names that the runtime chooses. */
import { choice, instant, messages, nested, text, texts } from './fields.js'
import { type Infer, message } from './message.js'
import { UInt64Value } from './values.js'

export const MetricType = ['COUNTER', 'GAUGE'] as const
export type MetricType = (typeof MetricType)[number]

export const ListMetricDescriptorsRequest = message({})
export interface ListMetricDescriptorsRequest extends Infer<typeof ListMetricDescriptorsRequest> {}

export const MetricDescriptor = message({
  name: text(1),
  help: text(2),
  labelKeys: texts(3),
})
export interface MetricDescriptor extends Infer<typeof MetricDescriptor> {}

export const ListMetricDescriptorsResponse = message({
  descriptors: messages<MetricDescriptor>(1, MetricDescriptor),
})
export interface ListMetricDescriptorsResponse extends Infer<typeof ListMetricDescriptorsResponse> {}

export const ListPodSandboxMetricsRequest = message({})
export interface ListPodSandboxMetricsRequest extends Infer<typeof ListPodSandboxMetricsRequest> {}

export const Metric = message({
  name: text(1),
  timestamp: instant(2),
  metricType: choice(3, MetricType),
  labelValues: texts(4),
  value: nested<UInt64Value>(5, UInt64Value),
})
export interface Metric extends Infer<typeof Metric> {}

export const ContainerMetrics = message({
  containerId: text(1),
  metrics: messages<Metric>(2, Metric),
})
export interface ContainerMetrics extends Infer<typeof ContainerMetrics> {}

export const PodSandboxMetrics = message({
  podSandboxId: text(1),
  metrics: messages<Metric>(2, Metric),
  containerMetrics: messages<ContainerMetrics>(3, ContainerMetrics),
})
export interface PodSandboxMetrics extends Infer<typeof PodSandboxMetrics> {}

export const ListPodSandboxMetricsResponse = message({
  podMetrics: messages<PodSandboxMetrics>(1, PodSandboxMetrics),
})
export interface ListPodSandboxMetricsResponse extends Infer<typeof ListPodSandboxMetricsResponse> {}

export const StreamPodSandboxMetricsRequest = message({})
export interface StreamPodSandboxMetricsRequest extends Infer<typeof StreamPodSandboxMetricsRequest> {}

export const StreamPodSandboxMetricsResponse = message({
  podSandboxMetrics: messages<PodSandboxMetrics>(1, PodSandboxMetrics),
})
export interface StreamPodSandboxMetricsResponse extends Infer<typeof StreamPodSandboxMetricsResponse> {}
