import { sleep } from '../../base/clock.js'
import { pathOf } from './resource-paths.js'
import type { ClusterScenario, ResponseBody, ScenarioVariables } from './scenario.js'
import type { ScenarioContext } from './scenario-context.js'

/** The namespace of one scenario, and the cluster around it. */
export class ScenarioNamespace {
  readonly #context: ScenarioContext
  readonly #scenario: ClusterScenario
  readonly #variables: ScenarioVariables

  constructor(context: ScenarioContext, scenario: ClusterScenario, variables: ScenarioVariables) {
    this.#context = context
    this.#scenario = scenario
    this.#variables = variables
  }

  /** Creates the namespace. Resolves when the scenario can begin. */
  async begin(): Promise<void> {
    const { needs, exclusive, bare } = this.#scenario
    if (needs !== 'kubelet')
      await this.#wait('there are no nodes, and no pods where it must be alone', async () => {
        const left = await Promise.all(['/api/v1/nodes', ...(exclusive ? ['/api/v1/pods'] : [])].map(this.#items))
        return left.flat().length === 0
      })
    const metadata = { name: this.#variables.ns! }
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata }
    await this.#context.requests.send({ method: 'POST', path: '/api/v1/namespaces', body })
    if (!bare) await this.#wait('the namespace has what every namespace has', this.#hasDefaults)
  }

  readonly #hasDefaults = async (): Promise<boolean> => {
    const paths = ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']
    const responses = await Promise.all(paths.map((path) => this.#get(path)))
    return responses.every(({ status }) => status === 200)
  }

  /** Deletes everything. Resolves when nothing is left that another scenario could see. */
  async end(): Promise<void> {
    const { needs, exclusive } = this.#scenario
    await this.#delete(`/api/v1/namespaces/${this.#variables.ns}`)
    await this.#killPods()
    if (!exclusive && needs !== 'kubelet') return
    await this.#wait('the pods are gone', async () => {
      if ((await this.#items('pods')).length === 0) return true
      if (needs !== 'kubelet') await this.#killPods() // no kubelet reports that they have stopped
      return false
    })
  }

  async #killPods(): Promise<void> {
    await this.#delete(pathOf(`pods?gracePeriodSeconds=${this.#scenario.needs === 'kubelet' ? 1 : 0}`, this.#variables))
  }

  async #delete(path: string): Promise<void> {
    await this.#context.requests.send({ method: 'DELETE', path })
  }

  readonly #items = async (path: string): Promise<readonly unknown[]> => {
    const { body } = await this.#get(path)
    return (body as ResponseBody).items ?? []
  }

  #get(path: string) {
    return this.#context.requests.send({ path: pathOf(path, this.#variables) })
  }

  async #wait(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const { clock } = this.#context
    const end = clock.monotonic() + 20_000
    for (; !(await isSo()); await sleep(clock, 200))
      if (clock.monotonic() > end) throw new Error(`not true after 20 s: ${what}`)
  }
}

/** Returns the name of the only node. Scenarios of the kubelet need exactly one. */
export async function onlyNode({ requests }: ScenarioContext): Promise<string> {
  const { body } = await requests.send({ path: '/api/v1/nodes' })
  const { items = [] } = body as ResponseBody
  if (items.length !== 1) throw new Error(`one real node is needed, and there are ${items.length}`)
  return items[0].metadata.name
}
