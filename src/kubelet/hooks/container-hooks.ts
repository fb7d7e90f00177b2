import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { JsonValue } from '../../schema/declaration.js'
import { goText } from '../../schema/go-text.js'
import { quote } from '../../schema/quote.js'
import { type HttpGet, httpGet, httpGetOf } from '../probes/http-get.js'
import { runInContainer } from '../probes/run-command.js'
import { HookError, type HookRequest, type Hooks } from './hooks.js'

export interface HookDependencies {
  readonly environment: Environment
  readonly runtime: ContainerRuntime
  readonly events: EventRecorder
}

export function containerHooks(dependencies: HookDependencies): Hooks {
  return { run: (hook) => run(hook, dependencies) }
}

async function run(hook: HookRequest, dependencies: HookDependencies): Promise<void> {
  const { exec, httpGet: get, sleep: pause } = hook.handler
  if (exec) return runExec(hook, dependencies)
  if (get) return asHook(hook, `HTTP lifecycle hook (${get.path ?? ''})`, () => runHttp(hook, dependencies))
  if (pause) {
    const { clock } = dependencies.environment
    return asHook(hook, `Sleep lifecycle hook (${pause.seconds})`, () => runSleep(hook, clock, pause.seconds))
  }
  // The API accepts a TCP hook, but upstream has never run one.
  throw new HookError(`Cannot run handler: invalid handler: ${goText(hook.handler as unknown as JsonValue)}`)
}

async function runExec(hook: HookRequest, { runtime }: HookDependencies): Promise<void> {
  const { containerId, signal } = hook
  const words = hook.handler.exec?.command ?? []
  const title = `Exec lifecycle hook ([${words.join(' ')}])`
  let output = ''
  try {
    const result = await runInContainer(runtime, { containerId, words, timeoutSeconds: 0, signal })
    if (result.exitCode === 0) return
    output = result.output.toString()
    throw new Error(`command '${words.join(' ')}' exited with ${result.exitCode}: ${result.stderr}`)
  } catch (error) {
    throw failed(hook, title, error, `, message: ${quote(output)}`)
  }
}

async function asHook(hook: HookRequest, title: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    throw failed(hook, title, error)
  }
}

function failed({ pod, container }: HookRequest, title: string, error: unknown, more = ''): HookError {
  const { name, namespace, uid } = pod.metadata
  const owner = `for Container ${quote(container.name)} in Pod ${quote(`${name}_${namespace}(${uid})`)}`
  return new HookError(`${title} ${owner} failed - error: ${(error as Error).message}${more}`, { cause: error })
}

/** Every response counts as success, whatever its code. */
async function runHttp(hook: HookRequest, { environment, events }: HookDependencies): Promise<void> {
  const { pod, container, handler, podAddress, signal } = hook
  const address = handler.httpGet!.host || podAddress
  if (!address) throw new Error(`failed to find networking container: ${pod.metadata.name}`)
  const get = httpGetOf(handler.httpGet!, { container, address, agent: 'lifecycle' })
  try {
    await httpGet(get, { clock: environment.clock, signal })
  } catch (error) {
    if (!(error as Error).message.endsWith('http: server gave HTTP response to HTTPS client')) throw error
    await runWithoutTls(get, error as Error, hook, environment)
    const { host } = new URL(get.url)
    const message = `request to HTTPS lifecycle hook ${host} got HTTP response, retry with HTTP succeeded`
    events.record({ about: pod, type: 'Warning', reason: 'LifecycleHTTPFallback', message })
  }
}

/** Retries over HTTP, because HTTPS hooks used HTTP for years. Drops the Authorization header. */
async function runWithoutTls(
  get: HttpGet,
  first: Error,
  { signal }: HookRequest,
  { clock }: Environment,
): Promise<void> {
  const url = get.url.replace(/^https:/, 'http:')
  const headers = Object.fromEntries(
    Object.entries(get.headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
  )
  await httpGet({ url, headers }, { clock, signal }).catch(() => {
    throw first
  })
}

async function runSleep({ signal }: HookRequest, clock: Environment['clock'], seconds: number): Promise<void> {
  await sleep(clock, 1000 * seconds, signal).catch((error: unknown) => {
    throw new Error('container terminated before sleep hook finished', { cause: error })
  })
}
