import { splitImageName } from '../../base/image-name.js'
import type { JsonObject } from '../../schema/declaration.js'
import { labelKey } from '../../schema/label-names.js'
import { CommandUsageError } from '../command-errors.js'
import { dryRunOf } from '../printers/result.js'
import type { RunContext } from './flags.js'
import type { RunCommandOptions, RunRestartPolicy } from './generators.js'

const policies: readonly string[] = ['Always', 'OnFailure', 'Never']

/** Reads the options from the line. Throws if the line is wrong, before anything is sent. */
export function readRunOptions(call: RunContext): RunCommandOptions {
  const { flags, args, dash } = call
  const named = dash === undefined ? args : args.slice(0, dash)
  if (flags.image === '')
    throw new Error(call.isSet('image') ? '--image is required' : 'required flag(s) "image" not set')
  const image = splitImageName(flags.image)
  if (!image) throw new Error(`Invalid image name "${flags.image}": invalid reference format`)
  const [name = objectName(image.name), ...first] = named
  const rest = dash === undefined ? first : [...first, ...args.slice(dash)]
  checkTogether(call)
  const restart = restartOf(call)
  return {
    name,
    image: flags.image,
    labels: flags.labels === '' ? { run: name } : readPairs(flags.labels.split(','), 'label'),
    annotations: readPairs(flags.annotations, 'annotation'),
    replicas: flags.replicas,
    restart,
    schedule: flags.schedule,
    serviceAccount: flags.serviceaccount,
    container: containerOf(call, name, rest),
  }
}

/** Returns the last part of an image name, in a form that an object name may have. */
function objectName(imageName: string): string {
  return imageName
    .slice(imageName.lastIndexOf('/') + 1)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')
}

function restartOf({ flags, isSet, path }: RunContext): RunRestartPolicy {
  if (flags.schedule !== '' && !isSet('restart')) return 'OnFailure'
  if (!policies.includes(flags.restart)) throw new CommandUsageError(path, `invalid restart policy: ${flags.restart}`)
  return flags.restart as RunRestartPolicy
}

/** Checks flags that exclude or require each other. */
function checkTogether(call: RunContext): void {
  const { flags, isSet, path } = call
  checkReplicas(call)
  if (flags.expose && flags.port === '') throw new CommandUsageError(path, '--port must be set when exposing a service')
  if (flags.schedule !== '' && flags.restart === 'Always' && isSet('restart'))
    throw new Error('--restart=Always cannot be used with --schedule')
  if (flags.tty && !flags.stdin)
    throw new CommandUsageError(path, '-i/--stdin is required for containers with -t/--tty=true')
  const isAttached = flags.attach || flags.stdin || flags.tty
  if (flags.rm && !isAttached) throw new CommandUsageError(path, '--rm should only be used for attached containers')
  if (isAttached && dryRunOf(flags) !== 'none')
    throw new CommandUsageError(
      path,
      "--dry-run can't be used with attached containers options (--attach, --stdin, or --tty)",
    )
}

/** Rejects several replicas of anything but a deployment. */
function checkReplicas({ flags, path }: RunContext): void {
  const { replicas } = flags
  if (replicas === 1) return
  if (flags.schedule !== '') throw new Error(`--schedule requires that --replicas=1, found ${replicas}`)
  if (flags.restart !== 'Always')
    throw new Error(`--restart=${flags.restart} requires that --replicas=1, found ${replicas}`)
  if (flags.stdin || flags.attach)
    throw new CommandUsageError(path, `-i/--stdin requires that replicas is 1, found ${replicas}`)
}

function containerOf({ flags }: RunContext, name: string, rest: readonly string[]): JsonObject {
  const ports =
    flags.port === ''
      ? []
      : [{ containerPort: parsePort(flags.port), ...(flags.hostport >= 0 && { hostPort: flags.hostport }) }]
  const env = flags.env.map(readVariable)
  const resources = {
    ...(flags.limits !== '' && { limits: readQuantities(flags.limits) }),
    ...(flags.requests !== '' && { requests: readQuantities(flags.requests) }),
  }
  return {
    ...(rest.length > 0 && { [flags.command ? 'command' : 'args']: [...rest] }),
    ...(env.length > 0 && { env }),
    image: flags.image,
    ...(flags['image-pull-policy'] !== '' && { imagePullPolicy: flags['image-pull-policy'] }),
    name,
    ...(ports.length > 0 && { ports }),
    resources,
    ...(flags.privileged && { securityContext: { privileged: true } }),
    ...(flags.stdin && { stdin: true, ...(!flags['leave-stdin-open'] && { stdinOnce: true }) }),
    ...(flags.tty && { tty: true }),
  }
}

export function parsePort(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new Error(`strconv.Atoi: parsing "${text}": invalid syntax`)
  return Number(text)
}

function readVariable(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=')
  const name = text.slice(0, at)
  if (at < 1 || !/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name)) throw new Error(`invalid env: ${text}`)
  return { name, value: text.slice(at + 1) }
}

function readQuantities(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name = '', amount = '', ...more] = part.split('=')
      if (name === '' || amount === '' || more.length > 0)
        throw new Error(`Invalid argument syntax ${part}, expected <resource>=<value>`)
      return [name, amount]
    }),
  )
}

function readPairs(given: readonly string[], what: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf('=')
      if (at < 1) throw new Error(`unexpected ${what} spec: ${each}`)
      const key = each.slice(0, at)
      const [problem] = labelKey(key)
      if (problem !== undefined) throw new Error(`invalid ${what} ${key}: ${problem}`)
      return [key, each.slice(at + 1)]
    }),
  )
}
