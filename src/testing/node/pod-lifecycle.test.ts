import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Volume } from '../../api/core/v1/volume.js'
import {
  containerStateOf,
  containerStatusOf,
  idle,
  isReadyPod,
  script,
  server,
  type TestNodeHarness,
} from './node-harness.js'
import { nodeSuite } from './node-suite.js'

const shared: Volume = { name: 'shared', emptyDir: {} }
const volumeMounts = [{ name: 'shared', mountPath: '/shared' }]

/** A folder of the node that outlives its pods: what they do at their end is written there. */
function diary(harness: TestNodeHarness) {
  const path = join(harness.node.harness.folder, `diary-${harness.namespace}`)
  mkdirSync(path)
  const volume: Volume = { name: 'diary', hostPath: { path } }
  const text = (name: string) => (existsSync(join(path, name)) ? readFileSync(join(path, name), 'utf8') : '')
  return { volumes: [volume], volumeMounts: [{ name: 'diary', mountPath: '/diary' }], text }
}

/** Containers are started. */
await nodeSuite(
  'the containers of a pod',
  {
    'begin in order: init containers one by one, sidecars that stay, then the others': async (harness) => {
      const note = (name: string) => `echo ${name} >> /shared/order`
      const ready = { exec: { command: ['test', '-e', '/shared/up'] }, periodSeconds: 1 }
      const initContainers = [
        script('first', `sleep 0.3; ${note('first')}`, { volumeMounts }),
        script('sidecar', `sleep 0.3; ${note('sidecar')}; touch /shared/up; trap "exit 7" TERM; sleep 1000 & wait`, {
          volumeMounts,
          restartPolicy: 'Always',
          startupProbe: ready,
        }),
        script('last', note('last'), { volumeMounts }),
      ]
      const containers = [script('main', `${note('main')}; cat /shared/order`, { volumeMounts })]
      await harness.run('p', { restartPolicy: 'Never', volumes: [shared], initContainers, containers })
      const pod = await harness.over('p')
      assert.deepEqual(await harness.lines('p', 4, 'main'), ['first', 'sidecar', 'last', 'main'])
      assert.equal(pod.status.phase, 'Succeeded')
      // Nobody needs the sidecar any more: it is stopped, and how it ends does not count.
      assert.equal(containerStateOf(pod, 'sidecar')?.terminated?.exitCode, 7)
      const [begun, ended] = [containerStateOf(pod, 'main')!.terminated!, containerStateOf(pod, 'sidecar')!.terminated!]
      assert.ok(Date.parse(ended.finishedAt!) >= Date.parse(begun.finishedAt!))
    },

    'do not begin before an init container has succeeded': async (harness) => {
      const failing = script('init', 'echo no; exit 3')
      await harness.run('once', {
        restartPolicy: 'Never',
        initContainers: [failing],
        containers: [script('main', idle)],
      })
      await harness.run('again', { initContainers: [failing], containers: [script('main', idle)] })
      const { status } = await harness.over('once')
      assert.equal(status.phase, 'Failed')
      assert.equal(status.containerStatuses![0]!.state!.waiting!.reason, 'PodInitializing')
      const again = await harness.pod('again', (pod) => (containerStatusOf(pod, 'init')?.restartCount ?? 0) >= 2)
      assert.equal(again.status.phase, 'Pending')
      assert.equal(
        again.status.conditions!.find(({ type }) => type === 'Initialized')!.reason,
        'ContainersNotInitialized',
      )
    },

    'are started again, after longer and longer pauses': async (harness) => {
      await harness.run('p', { containers: [script('c', 'echo $(date +%s) life; exit 5')] })
      const pod = await harness.pod('p', (seen) => containerStateOf(seen)?.waiting?.reason === 'CrashLoopBackOff')
      assert.match(
        containerStateOf(pod)!.waiting!.message!,
        /^back-off \S+ restarting failed container=c pod=p_test-\d\(.*\)$/,
      )
      assert.equal(containerStatusOf(pod)!.lastState!.terminated!.exitCode, 5)
      await harness.event('p', /^Warning BackOff: Back-off restarting failed container c in pod p_test-\d\(.*\)$/)
      await harness.pod('p', (seen) => containerStatusOf(seen)!.restartCount >= 3)
    },

    'are started again as the policy of the pod says': async (harness) => {
      for (const [policy, restarts] of [
        ['Never', 0],
        ['OnFailure', 1],
      ] as const) {
        const name = policy.toLowerCase()
        const text = 'test -e /shared/again || { touch /shared/again; exit 4; }'
        await harness.run(name, {
          restartPolicy: policy,
          volumes: [shared],
          containers: [script('c', text, { volumeMounts })],
        })
        const pod = await harness.over(name)
        assert.deepEqual(
          [pod.status.phase, containerStatusOf(pod)!.restartCount],
          [restarts ? 'Succeeded' : 'Failed', restarts],
        )
      }
    },

    'leave a last message': async (harness) => {
      await harness.once(
        'p',
        script('file', 'echo -n my last words > /dev/termination-log'),
        script('long', 'yes | tr -d "\\n" | head -c 9000 > /dev/termination-log'),
        script('log', 'echo it went wrong; exit 2', { terminationMessagePolicy: 'FallbackToLogsOnError' }),
        script('fine', 'echo nothing to tell', { terminationMessagePolicy: 'FallbackToLogsOnError' }),
        script('elsewhere', 'echo -n here > /tmp/note', { terminationMessagePath: '/tmp/note' }),
        { ...script('missing', ''), command: ['/no/such/program'] },
      )
      const pod = await harness.over('p')
      const message = (name: string) => containerStateOf(pod, name)!.terminated!.message
      assert.equal(message('file'), 'my last words')
      // All of a pod together have twelve kibibytes.
      assert.equal(message('long')!.length, (12 * 1024) / 6)
      assert.equal(message('log'), 'it went wrong\n')
      assert.equal(message('fine'), undefined)
      assert.equal(message('elsewhere'), 'here')
      assert.match(message('missing')!, /no such file or directory/)
      assert.deepEqual(
        [containerStateOf(pod, 'missing')!.terminated!.reason, containerStateOf(pod, 'missing')!.terminated!.exitCode],
        ['StartError', 128],
      )
    },

    'leave a last message also over a pipe of a volume, for which nobody waits': async (harness) => {
      const mount = { name: 'shared', mountPath: '/note', subPath: 'pipe' }
      await harness.run('p', {
        restartPolicy: 'Never',
        volumes: [shared],
        initContainers: [script('maker', 'mkfifo /shared/pipe', { volumeMounts })],
        containers: [script('c', 'echo -n here > /note', { terminationMessagePath: '/note', volumeMounts: [mount] })],
      })
      assert.equal(containerStateOf(await harness.over('p'), 'c')!.terminated!.message, 'here')
    },

    'end within the time that the pod has': async (harness) => {
      const { text, ...book } = diary(harness)
      const write = (name: string) => `echo ${name} >> /diary/$HOSTNAME`
      const polite = `trap "sleep 0.3; ${write('goodbye')}; exit 0" TERM; sleep 1000 & wait`
      const stubborn = `trap "${write('heard')}" TERM; while :; do sleep 0.2; done`
      await harness.run('polite', {
        ...book,
        terminationGracePeriodSeconds: 30,
        containers: [script('c', polite, book)],
      } as never)
      await harness.run('stubborn', {
        ...book,
        terminationGracePeriodSeconds: 2,
        containers: [script('c', stubborn, book)],
      } as never)
      await Promise.all([harness.ready('polite'), harness.ready('stubborn')])
      const began = performance.now()
      await Promise.all([harness.pods.delete('polite'), harness.pods.delete('stubborn')])
      await harness.gone('polite')
      assert.ok(performance.now() - began < 25_000, 'nobody waits for the rest of its time')
      assert.equal(text('polite'), 'goodbye\n')
      await harness.gone('stubborn')
      assert.equal(text('stubborn'), 'heard\n')
      assert.ok(performance.now() - began >= 2000)
      await harness.event('stubborn', /^Normal Killing: Stopping container c$/)
    },

    'end when the pod has had its time': async (harness) => {
      await harness.run('p', { activeDeadlineSeconds: 1, containers: [script('c', idle)] })
      const { status } = await harness.over('p')
      assert.deepEqual([status.phase, status.reason], ['Failed', 'DeadlineExceeded'])
      assert.equal(status.message, 'Pod was active on the node longer than the specified deadline')
    },
  },
  { concurrency: 6, settings: { kubelet: { crashLoop: { initial: 500, max: 4000 } } } },
)

/** Lifecycle hooks. */
await nodeSuite('a hook', {
  'runs when a container has started, and before it is stopped': async (harness) => {
    const { text, ...book } = diary(harness)
    const note = (name: string) => ({ exec: { command: ['sh', '-c', `echo ${name} >> /diary/exec`] } })
    const http = (path: string) => ({ httpGet: { port: 8080, path } })
    const slept = `trap "echo stopped >> /diary/sleep; exit 0" TERM; echo began >> /diary/sleep; sleep 1000 & wait`
    const web = `mkdir -p /tmp/www; touch /tmp/www/after /tmp/www/before; trap "exit 0" TERM; httpd -f -vv -p 8080 -h /tmp/www 2>> /diary/http & wait`
    await harness.run('p', {
      volumes: book.volumes,
      terminationGracePeriodSeconds: 20,
      containers: [
        script('exec', idle, {
          volumeMounts: book.volumeMounts,
          lifecycle: { postStart: note('after'), preStop: note('before') },
        }),
        script('http', web, { volumeMounts: book.volumeMounts, lifecycle: { preStop: http('/before') } }),
        script('sleep', slept, {
          volumeMounts: book.volumeMounts,
          lifecycle: { postStart: { sleep: { seconds: 1 } }, preStop: { sleep: { seconds: 1 } } },
        }),
      ],
    })
    await harness.ready('p')
    assert.equal(text('exec'), 'after\n')
    await harness.pods.delete('p')
    await harness.gone('p')
    assert.equal(text('exec'), 'after\nbefore\n')
    assert.match(text('http'), /url:\/before/)
    assert.equal(text('sleep'), 'began\nstopped\n')
  },

  'that fails after the start stops the container': async (harness) => {
    const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'echo secret; exit 3'] } } }
    await harness.run('p', { containers: [script('c', idle, { lifecycle }), script('other', idle)] })
    await harness.event('p', /^Warning FailedPostStartHook: PostStartHook failed$/)
    await harness.event('p', /^Normal Killing: FailedPostStartHook$/)
    await harness.pod(
      'p',
      (pod) => containerStatusOf(pod, 'c')!.restartCount >= 1 && containerStateOf(pod, 'other')?.running !== undefined,
    )
    assert.equal(isReadyPod(await harness.pods.get('p')), false)
  },

  'that fails before the end keeps no container from ending': async (harness) => {
    const lifecycle = { preStop: { exec: { command: ['false'] } } }
    await harness.run('p', { containers: [script('c', idle, { lifecycle })] })
    await harness.ready('p')
    await harness.pods.delete('p')
    await harness.event('p', /^Warning FailedPreStopHook: PreStopHook failed$/)
    await harness.gone('p')
  },

  'over HTTP reaches the pod on its address': async (harness) => {
    const postStart = { httpGet: { port: 'web', path: '/' } }
    await harness.run('helper', {
      containers: [server('web', 8080, { ports: [{ name: 'web', containerPort: 8080 }] })],
    })
    const { status } = await harness.ready('helper')
    const there = { httpGet: { host: status.podIP!, port: 8080, path: '/' } }
    await harness.run('p', { containers: [script('c', idle, { lifecycle: { postStart: there } })] })
    await harness.ready('p')
    await harness.run('q', { containers: [script('c', idle, { lifecycle: { postStart } })] })
    await harness.event('q', /^Warning FailedPostStartHook: /)
  },
})
