import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { CriContainerStatus, type Mount } from '../../cri/interface/container.js'
import type { PartialMessage } from '../../cri/interface/message.js'
import { containerAnnotations } from './labels.js'
import { lastOutput, terminationMessage } from './termination-message.js'

const folder = mkdtempSync(join(tmpdir(), 'proa-message-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

interface Left {
  readonly written?: string
  readonly log?: readonly string[]
  readonly policy?: 'File' | 'FallbackToLogsOnError'
  readonly exitCode?: number
}

function messageOf({ written, log = [], policy = 'File', exitCode = 1 }: Left): string {
  const [hostPath, logPath] = [join(folder, `message-${++files}`), join(folder, `${files}.log`)]
  if (written !== undefined) writeFileSync(hostPath, written)
  writeFileSync(logPath, log.map((line) => `2026-01-01T00:00:00.000000000Z stdout F ${line}\n`).join(''))
  const mounts = [{ containerPath: '/why', hostPath }]
  return terminationMessage(CriContainerStatus.complete({ annotations: notes(policy), mounts, logPath, exitCode }))
}

function notes(policy: 'File' | 'FallbackToLogsOnError') {
  const container = { name: 'c', terminationMessagePath: '/why', terminationMessagePolicy: policy }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers: [container] }, status: {} } as const
  return containerAnnotations(pod, container, 0)
}

/** Message of files that are mounted over each other. */
function messageOfFiles(...hostPaths: readonly string[]): string {
  const mounts = hostPaths.map((hostPath): PartialMessage<Mount> => ({ containerPath: '/why', hostPath }))
  return terminationMessage(CriContainerStatus.complete({ annotations: notes('File'), mounts, exitCode: 1 }))
}

test('the message file is the message', () => assert.equal(messageOf({ written: 'from file\n' }), 'from file\n'))

test('a long message is cut to its end', () =>
  assert.equal(messageOf({ written: `${'x'.repeat(5000)}end` }), `${'x'.repeat(4093)}end`))

test('the log is used only if the policy says so and the container failed', () => {
  const policy = 'FallbackToLogsOnError'
  assert.equal(messageOf({ log: ['one', 'two'] }), '')
  assert.equal(messageOf({ log: ['one', 'two'], policy }), 'one\ntwo\n')
  assert.equal(messageOf({ log: ['one', 'two'], policy, exitCode: 0 }), '')
  assert.equal(messageOf({ log: ['one'], written: 'file\n', policy }), 'file\n')
  assert.equal(messageOf({ log: ['one'], written: '', policy }), 'one\n')
})

test('of the log, the last 80 lines and 2048 bytes count', () => {
  const policy = 'FallbackToLogsOnError'
  const lines = Array.from({ length: 100 }, (_, index) => String(index))
  assert.equal(
    messageOf({ log: lines, policy }),
    lines
      .slice(20)
      .map((line) => `${line}\n`)
      .join(''),
  )
  assert.equal(messageOf({ log: ['x'.repeat(3000)], policy }).length, 2048)
})

test('partial lines are joined, and both streams are read', () =>
  assert.equal(lastOutput('cut\nT stdout P one\nT stdout F two\nT stderr F three\n'), 'onetwo\nthree\n'))

test('a volume mounted at the same path is not read', () => {
  const [volume, own] = [join(folder, 'volume'), join(folder, 'own')]
  writeFileSync(volume, 'from a volume')
  writeFileSync(own, 'from the container')
  assert.equal(messageOfFiles(volume, own), 'from the container')
})

test('pipes, devices and links are never opened', () => {
  const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')]
  execFileSync('mkfifo', [pipe])
  symlinkSync('/etc/hostname', link)
  for (const path of [pipe, link, '/dev/null', folder])
    assert.equal(messageOfFiles(path), `Error on reading termination log ${path}: not a regular file`)
})
