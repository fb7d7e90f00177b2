import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allFastPaths } from '../../apiserver/fast-paths.js'
import { boolean, integer, optionalText, repeated } from '../../base/flags/flag-types.js'
import { describeFlags, type FlagTable, parseArguments, parseFlags, UsageError } from '../../base/flags/flags.js'
import { controllerFlags } from '../../controllers/catalogue.js'
import { clusterFlags } from '../cluster/cluster-flags.js'
import { upFlags } from '../up/up-flags.js'
import { type ApiServerFlags, apiServerFlags, apiServerOptions } from './apiserver-flags.js'
import { componentFlags } from './component.js'
import { kubeletFlags } from './kubelet-flags.js'
import { schedulerFlags } from './scheduler-settings.js'

const parse = (...args: string[]): ApiServerFlags => parseFlags(apiServerFlags, args)
const options = (...args: string[]) => apiServerOptions(parse(...args), '/data')

/** The sentence that a person gets to read. */
function complaint(...args: string[]): string {
  try {
    options(...args)
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error))
    return error.message
  }
  return assert.fail('it should have been refused')
}

describe('flags', () => {
  test('may be written with an equals sign or without', () => {
    assert.equal(parse('--secure-port=7443')['secure-port'], 7443)
    assert.equal(parse('--secure-port', '7443')['secure-port'], 7443)
    assert.equal(parse('-v=4').v, 4)
    assert.equal(parse('-v', '4', '--v=5').v, 5)
    assert.equal(parse('--etcd-prefix=a=b')['etcd-prefix'], 'a=b')
  })

  test('that are true or false need no value, and take none that stands apart', () => {
    assert.equal(parse('--allow-privileged')['allow-privileged'], true)
    assert.equal(parse('--anonymous-auth=false')['anonymous-auth'], false)
    assert.equal(parse('--anonymous-auth=F')['anonymous-auth'], false)
    assert.match(complaint('--anonymous-auth', 'false'), /unexpected argument "false"/)
    assert.equal(parse('-h').help, true)
  })

  test('given several times count as the last one, or as a list', () => {
    assert.equal(parse('--bind-address=::', '--bind-address=127.0.0.1')['bind-address'], '127.0.0.1')
    assert.deepEqual(parse('--etcd-servers=a, b', '--etcd-servers=c')['etcd-servers'], ['a', 'b', 'c'])
    const gates = parse('--feature-gates=Initializers=true,AllBeta=false', '--feature-gates=Initializers=0')
    assert.deepEqual(gates['feature-gates'], { Initializers: false, AllBeta: false })
  })

  test('may have a variable of the environment behind them, which a flag that is given outdoes', () => {
    const table = { port: { ...integer('The port.', { placeholder: 'PORT', initial: 6443 }), variable: 'PROA_PORT' } }
    const port = (args: string[], text?: string) => parseFlags(table, args, { PROA_PORT: text }).port
    assert.deepEqual([port([]), port([], ''), port([], '7'), port(['--port=8'], '7')], [6443, 6443, 7, 8])
    assert.throws(() => port([], 'x'), { message: 'PROA_PORT=x cannot be used: it must be a whole number from 0 up' })
    assert.equal(describeFlags(table), '  --port PORT\n      The port. ($PROA_PORT, default 6443)\n')
  })

  const complaints: readonly [string[], string][] = [
    [['--secur-port=1'], 'unknown flag --secur-port; did you mean --secure-port?'],
    [['--etcd-server', 'x'], 'unknown flag --etcd-server; did you mean --etcd-servers?'],
    [['--what-is-this'], 'unknown flag --what-is-this; --help lists all flags'],
    [['--constructor'], 'unknown flag --constructor; --help lists all flags'],
    [['start'], 'unexpected argument "start"'],
    [['--'], 'unexpected argument "--"'],
    [['--secure-port'], '--secure-port needs a value: --secure-port=PORT'],
    [['--secure-port=http'], '--secure-port=http cannot be used: it must be a whole number from 0 to 65535'],
    [['--secure-port=65536'], '--secure-port=65536 cannot be used: it must be a whole number from 0 to 65535'],
    [['--event-ttl=soon'], '--event-ttl=soon cannot be used: it must be a length of time, such as 1h30m or 90s'],
    [['--event-ttl=-1s'], '--event-ttl=-1s cannot be used: it must not be negative'],
    [['--allow-privileged=maybe'], '--allow-privileged=maybe cannot be used: it must be true or false'],
    [['--feature-gates=Kites=true'], '--feature-gates=Kites=true cannot be used: unrecognized feature gate: Kites'],
    [['--feature-gates=A'], '--feature-gates=A cannot be used: each part must be NAME=true or NAME=false'],
    [
      ['--service-node-port-range=5-1'],
      '--service-node-port-range=5-1 cannot be used: it must be a range of ports, such as 30000-32767',
    ],
    [
      ['--service-cluster-ip-range=10.0.0.0'],
      '--service-cluster-ip-range=10.0.0.0 cannot be used: it must be a range such as 10.96.0.0/16',
    ],
    [
      ['--service-cluster-ip-range=10.0.0.0/16,10.1.0.0/16'],
      '--service-cluster-ip-range takes one range, or one of each family',
    ],
    [['--tls-cert-file=x'], '--tls-cert-file and --tls-private-key-file go together: give both or neither'],
    [['--etcd-keyfile=x'], '--etcd-certfile and --etcd-keyfile go together: give both or neither'],
    [['--authorization-mode='], '--authorization-mode needs at least one mode'],
    [
      ['--authorization-mode=Roles'],
      '--authorization-mode=Roles cannot be used: there is no authorization mode Roles; those that exist are Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny',
    ],
  ]
  for (const [args, message] of complaints)
    test(`are refused with a remedy: ${args.join(' ')}`, () => assert.equal(complaint(...args), message))

  test('are all in the help, with their defaults', () => {
    const help = describeFlags(apiServerFlags)
    for (const name of Object.keys(apiServerFlags)) assert.match(help, new RegExp(`^  (-h, )?--${name}\\b`, 'm'))
    assert.match(help, /--secure-port PORT\n {6}.*\(default 6443\)\n/)
    assert.match(help, /--request-timeout DURATION\n {6}.*\(default 1m0s\)\n/)
  })
})

describe('the options of the API server', () => {
  test('without flags are those of upstream, with roles in force', () => {
    const { controllerRoles, ...rest } = options()
    assert.ok(controllerRoles?.some(({ serviceAccount }) => serviceAccount === 'deployment-controller'))
    assert.deepEqual(rest, {
      dataDirectory: '/data',
      securePort: 6443,
      bindAddress: '0.0.0.0',
      tls: {},
      authentication: { anonymous: true, bootstrapTokens: false },
      authorization: { modes: ['Node', 'RBAC'] },
      services: { clusterIpRanges: ['10.0.0.0/24'], nodePorts: { first: 30_000, last: 32_767 } },
      serviceAccounts: {
        issuers: ['https://kubernetes.default.svc'],
        audiences: ['https://kubernetes.default.svc'],
        keyFiles: [],
      },
      kubelets: { preferredAddressTypes: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'] },
      admission: { enabled: [], disabled: [], notReadyTolerationSeconds: 300, unreachableTolerationSeconds: 300 },
      allowPrivileged: false,
      eventTtl: 3_600_000,
      requests: {
        timeout: 60_000,
        minWatchTimeout: 1_800_000,
        maxInFlight: 400,
        maxMutatingInFlight: 200,
        isFair: true,
      },
      featureGates: {},
      fastPaths: allFastPaths,
    })
  })

  test('say what admission plugins are told', () => {
    const { admission } = options(
      '--admission-control-config-file=a.yaml',
      '--default-not-ready-toleration-seconds=-1',
      '--default-unreachable-toleration-seconds=20',
    )
    assert.equal(admission.configFile, 'a.yaml')
    assert.equal(admission.notReadyTolerationSeconds, -1)
    assert.equal(admission.unreachableTolerationSeconds, 20)
  })

  test('are what the flags say', () => {
    const { etcd, tls, services, authentication, dataDirectory, serviceAccounts } = options(
      ...[
        '--etcd-servers=https://a:2379,https://b:2379',
        '--etcd-cafile=ca',
        '--etcd-certfile=crt',
        '--etcd-keyfile=key',
      ],
      ...['--tls-cert-file=c', '--tls-private-key-file=k', '--client-ca-file=a', '--token-auth-file=t'],
      ...['--service-cluster-ip-range=10.96.0.0/16,fd00::/108', '--service-node-port-range=30000+10'],
      ...['--service-account-issuer=one', '--service-account-issuer=two', '--api-audiences=us'],
    )
    assert.deepEqual(etcd, {
      servers: ['https://a:2379', 'https://b:2379'],
      prefix: '/registry',
      caFile: 'ca',
      certFile: 'crt',
      keyFile: 'key',
    })
    assert.deepEqual(tls, { certFile: 'c', keyFile: 'k', clientCaFile: 'a' })
    assert.deepEqual(services, {
      clusterIpRanges: ['10.96.0.0/16', 'fd00::/108'],
      nodePorts: { first: 30_000, last: 30_010 },
    })
    assert.deepEqual(authentication, { anonymous: true, bootstrapTokens: false, tokenFile: 't' })
    assert.equal(dataDirectory, '/data')
    assert.deepEqual(serviceAccounts, { issuers: ['one', 'two'], audiences: ['us'], keyFiles: [] })
  })

  test('keep strangers out where everything is allowed', () => {
    assert.equal(options('--authorization-mode=AlwaysAllow').authentication.anonymous, false)
  })
})

test('operands are separated from flags and their values', () => {
  const table = {
    tag: { ...repeated('', { placeholder: 'NAME' }), short: 't' },
    pull: boolean(''),
    output: optionalText('', { placeholder: 'FILE' }),
  }
  const cases: [args: string[], tags: string[], operands: string[]][] = [
    [['a', '-t', 'b', 'c'], ['b'], ['a', 'c']],
    [['--tag', 'b', '--pull', 'c'], ['b'], ['c']],
    [['--tag=b', 'c', '-'], ['b'], ['c', '-']],
    [['--output', '-', 'c'], [], ['c']],
    [['--pull', '--', '--tag', 'x'], [], ['--tag', 'x']],
  ]
  for (const [args, tags, operands] of cases) {
    const parsed = parseArguments(table, args)
    assert.deepEqual([parsed.flags.tag, parsed.operands], [tags, operands], args.join(' '))
  }
  assert.deepEqual(parseFlags(table, ['-t', 'a,b', '--tag=c']).tag, ['a,b', 'c'])
  assert.throws(() => parseArguments(table, ['x', '--tag']), { message: '--tag needs a value: --tag=NAME' })
})

describe('the help of every flag', () => {
  const tables: Readonly<Record<string, FlagTable>> = {
    up: upFlags,
    kubelet: kubeletFlags,
    scheduler: schedulerFlags,
    'controller-manager': { ...controllerFlags, ...componentFlags('x', 1) },
    cluster: clusterFlags,
  }

  for (const [command, table] of Object.entries(tables))
    test(`of ${command} is whole sentences, without riddles`, () => {
      for (const [name, { help }] of Object.entries(table)) {
        assert.match(help, /^[A-Z].*\.$/, name)
        assert.doesNotMatch(help, /\b(whom|unless told|by which|so long|somebody|those who|the usual)\b/i, name)
      }
    })
})
