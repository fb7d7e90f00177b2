import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * Numbers about a running component, in Prometheus' terms. Each cluster has its own: two clusters in one test process do not
 * add up. Asking for a metric a second time under the same name gives the first one.
 */
export interface Metrics {
  counter<L extends string>(options: MetricOptions<L>): Counter<L>
  gauge<L extends string>(options: MetricOptions<L>): Gauge<L>
  histogram<L extends string>(options: MetricOptions<L> & { readonly buckets?: readonly number[] }): Histogram<L>
  /** The text exposition format. */
  text(): Promise<string>
}

export interface MetricOptions<L extends string> {
  /** Upstream's name where one exists. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly L[]
}

export function metrics(): Metrics {
  const registry = new Registry()
  const once = <M>(name: string, create: () => M) => (registry.getSingleMetric(name) as M | undefined) ?? create()
  const base = ({ name, help, labels = [] }: MetricOptions<string>) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  })
  return {
    counter: (options) => once(options.name, () => new Counter(base(options))),
    gauge: (options) => once(options.name, () => new Gauge(base(options))),
    histogram: (options) =>
      once(
        options.name,
        () => new Histogram({ ...base(options), ...(options.buckets && { buckets: [...options.buckets] }) }),
      ),
    text: () => registry.metrics(),
  }
}
