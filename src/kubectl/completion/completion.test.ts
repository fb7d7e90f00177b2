import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { deploymentWithImage, podManifest } from '../../testing/kubectl/suite.js'
import { comparisonSuite, hasProgram, type KubectlComparison } from '../comparison.test.kit.js'
import { scripts } from './scripts.js'

/** Compares the completions of both in the same namespace. Descriptions of flags are our own, so they are ignored. */
async function same(both: KubectlComparison, ...words: readonly string[]): Promise<void> {
  const line = ['__complete', `--namespace=${both.namespaces[0]}`, ...words]
  const [real, own] = [await both.real(line), await both.ours(line)]
  assert.deepEqual(without(own), without(real), words.join(' '))

  function without({ code, stdout }: { readonly code: number; readonly stdout: string }) {
    return { code, choices: stdout.replace(/\t.*/g, '') }
  }
}

comparisonSuite('completing lines', {
  'offers what the original offers': async (both) => {
    await both.given(podManifest('full'), podManifest('plain'), deploymentWithImage('web'))
    await same(both, 'ge')
    await same(both, 'get', 'po')
    await same(both, 'get', '')
    await same(both, 'get', 'pods,dep')
    await same(both, 'get', 'pod', '')
    await same(both, 'get', 'pod', 'f')
    await same(both, 'get', 'pod', 'full', '')
    await same(both, 'get', 'pods/f')
    await same(both, 'get', '-o', '')
    await same(both, 'get', '--output=j')
    await same(both, 'get', '--output-w')
    await same(both, 'get', '--namespace=kube-')
    await same(both, 'get', '-n', 'kube-')
    await same(both, 'get', '-l', '')
    await same(both, 'describe', 'deploy', '')
    await same(both, 'delete', 'pod', 'p')
    await same(both, 'edit', 'deploy', '')
    await same(both, 'apply', 'edit-last-applied', 'deploy', '')
    await same(both, 'logs', '')
    await same(both, 'logs', 'full', '')
    await same(both, 'apply', '-f', '')
    await same(both, 'rollout', '')
    await same(both, 'rollout', 'status', 'deploy', '')
    await same(both, 'config', '')
    await same(both, 'config', 'use-context', '')
    await same(both, '--context', '')
    await same(both, 'cluster-info', '')
    await same(both, 'auth', 'can-i', '')
    await same(both, 'nosuch', '')
    await same(both, 'get', 'pod', '--nosuch', '')
  },
  'says nothing that could be taken for a choice where no server answers': async (both) => {
    const { code, stdout } = await both.ours(['__complete', '--server=http://127.0.0.1:1', 'get', 'pod', ''])
    assert.deepEqual({ code, stdout }, { code: 0, stdout: ':0\n' })
  },
  'leaves out what is said about choices where nobody wants it': async (both) => {
    assert.equal((await both.ours(['__completeNoDesc', 'ge'])).stdout, 'get\n:4\n')
    assert.match((await both.ours(['__complete', 'ge'])).stdout, /^get\t\w/)
  },
  'prints scripts, and refuses what the original refuses': async (both) => {
    assert.equal((await both.ours(['completion', 'bash'])).stdout, scripts.bash)
    await both.sameLines('completion\ncompletion foo\ncompletion bash zsh')
  },
})

/** A fake kubectl that records its arguments and prints prepared completions. */
const answer = String.raw`kubectl() { printf '%s\n' "$@" > "$ASKED"; printf '%b' "$ANSWER"; }`

function bashChoices(line: string, said: string, folder = '/'): { readonly choices: string; readonly asked: string } {
  const script = `ASKED=$(mktemp)\n${scripts.bash}\n${answer}
COMP_LINE=$LINE COMP_POINT=\${#LINE}
cd "$FOLDER"; _proa_kubectl
printf '%s\\n' "\${COMPREPLY[@]}"; echo ---; cat "$ASKED"; rm "$ASKED"`
  const env = { PATH: process.env.PATH, LINE: line, ANSWER: said, FOLDER: folder }
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' })
  assert.equal(stderr, '')
  const [choices = '', asked = ''] = stdout.split('---\n')
  return { choices, asked }
}

test('the script for bash', { skip: !hasProgram('bash') && 'there is no bash' }, async (suite) => {
  await suite.test('asks with all words, the last of which is being typed', () => {
    assert.equal(bashChoices('kubectl get po', 'pods\n:4\n').asked, '__complete\nget\npo\n')
    assert.equal(bashChoices('kubectl get pods ', ':4\n').asked, '__complete\nget\npods\n\n')
  })
  await suite.test('offers choices without what is said about them', () => {
    assert.equal(bashChoices('kubectl g', 'get\\tDisplay\n:4\n').choices, 'get\n')
  })
  await suite.test('replaces only what stands after the last colon or the equals sign', () => {
    const roles = 'system:node\nsystem:discovery\n:4\n'
    assert.equal(bashChoices('kubectl get clusterrole system:n', roles).choices, 'node\n')
    assert.equal(bashChoices('kubectl get --output=j', 'json\njsonpath\n:4\n').choices, 'json\njsonpath\n')
  })
  await suite.test('offers files where these are meant', () => {
    assert.match(bashChoices('kubectl apply -f ', 'json\nyaml\nyml\n:8\n').choices, /^etc$/m)
    assert.match(bashChoices('kubectl cp et', ':0\n').choices, /^etc$/m)
  })
})

for (const shell of ['zsh', 'fish'] as const)
  test(`the script for ${shell} is one that ${shell} can read`, {
    skip: !hasProgram(shell) && `there is no ${shell}`,
  }, () => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: scripts[shell], encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  })
