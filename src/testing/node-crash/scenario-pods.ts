import type { Container } from '../../api/core/v1/container.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'

export const crashTestImage = 'localhost/proa/busybox:1'

/** A pod and its expected final state. */
export interface ScenarioPod {
  readonly name: string
  readonly spec: PodSpec
  readonly phase: 'Running' | 'Succeeded'
  /** The expected restarts of each container, if no call to the runtime is interrupted. */
  readonly restarts: Readonly<Record<string, number>>
}

/** Exits at once on SIGTERM. */
const forever = 'trap "exit 0" TERM; sleep 100000 & wait'

function container(name: string, script: string, more: Partial<Container> = {}): Container {
  return { name, image: crashTestImage, command: ['sh', '-c', script], ...more }
}

const usual: Partial<PodSpec> = { terminationGracePeriodSeconds: 5 }

function pod(name: string, spec: PodSpec, expected: Partial<ScenarioPod> = {}): ScenarioPod {
  const restarts = Object.fromEntries(spec.containers.map((one) => [one.name, 0]))
  return { name, spec: { ...usual, ...spec }, phase: 'Running', restarts, ...expected }
}

/** Has a volume of each type that is mounted or written. */
function steady(name: string): ScenarioPod {
  return pod(name, {
    volumes: [
      { name: 'memory', emptyDir: { medium: 'Memory' } },
      { name: 'settings', configMap: { name: 'settings' } },
      { name: 'secret', secret: { secretName: 'secret' } },
      { name: 'disk', emptyDir: {} },
    ],
    containers: [
      container('one', forever, {
        volumeMounts: [
          { name: 'memory', mountPath: '/memory' },
          { name: 'settings', mountPath: '/settings/colour', subPath: 'colour' },
          { name: 'secret', mountPath: '/secret' },
        ],
      }),
      container('two', forever, { volumeMounts: [{ name: 'disk', mountPath: '/disk', subPath: 'of/two' }] }),
    ],
  })
}

function ordered(name: string): ScenarioPod {
  const volumeMounts = [{ name: 'shared', mountPath: '/shared' }]
  return pod(name, {
    volumes: [{ name: 'shared', emptyDir: {} }],
    initContainers: [
      container('first', 'echo done >> /shared/first', { volumeMounts }),
      container('beside', forever, { restartPolicy: 'Always' }),
      container('second', 'cat /shared/first', { volumeMounts }),
    ],
    containers: [container('main', forever, { volumeMounts })],
  })
}

/** Fails once, and then runs. */
function stumbling(name: string): ScenarioPod {
  const script = `if [ -e /kept/fallen ]; then ${forever}; else touch /kept/fallen; exit 3; fi`
  const volumeMounts = [{ name: 'kept', mountPath: '/kept' }]
  const spec = { volumes: [{ name: 'kept', emptyDir: {} }], containers: [container('main', script, { volumeMounts })] }
  return pod(name, spec, { restarts: { main: 1 } })
}

function once(name: string): ScenarioPod {
  const spec: PodSpec = { restartPolicy: 'Never', containers: [container('main', 'sleep 0.3')] }
  return pod(name, spec, { phase: 'Succeeded' })
}

/** Returns one pod of each type. The suffix makes their names unique. */
export function scenarioPods(suffix: string): readonly ScenarioPod[] {
  return [
    steady(`steady-${suffix}`),
    ordered(`ordered-${suffix}`),
    stumbling(`stumbling-${suffix}`),
    once(`once-${suffix}`),
    steady(`also-steady-${suffix}`),
  ]
}
