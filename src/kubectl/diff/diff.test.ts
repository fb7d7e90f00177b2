import assert from 'node:assert/strict'
import { Kubectl, type KubectlRun } from '../../testing/kubectl/kubectl.js'
import { configMap, deploymentWithImage } from '../../testing/kubectl/suite.js'
import { comparisonSuite, type KubectlComparison, type RunOptions, words } from '../comparison.test.kit.js'

/** Compares both on the same objects, because a diff changes nothing. Replaces the names of temporary directories and times. */
async function same(both: KubectlComparison, line: string, options: RunOptions = {}): Promise<KubectlRun> {
  const args = ['--namespace=differing', ...words(line)]
  const real = await both.real(args, options)
  const own = await both.ours(args, options)
  assert.deepEqual(calm(own), calm(real), line)
  return own
}

function calm({ code, stdout, stderr }: KubectlRun): KubectlRun {
  const text = stdout
    .replace(/\/\S*?(LIVE|MERGED)-\w+/g, '$1')
    .replace(/\t\d{4}-\d\d-\d\d [\d:.]+ [+-]\d{4}/g, '\tTIME')
    .replace(/\t\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}/g, '\tTIME')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}/g, 'UID')
  return { code, stdout: text, stderr }
}

comparisonSuite('our kubectl diff', {
  'shows what would change as the original does': async (both, server) => {
    const kubectl = await new Kubectl(server).inNewNamespace('differing')
    const map = both.file('map.json', configMap('one', { a: 'b' }))
    const web = both.file('web.json', deploymentWithImage('web'))
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b', c: 'd' } }
    const hidden = both.file('secret.json', secret)
    for (const file of [map, web, hidden]) assert.equal((await same(both, `diff -f ${file}`)).code, 1)
    await kubectl.ok('apply', '-f', map, '-f', web, '-f', hidden)
    assert.deepEqual(await same(both, `diff -f ${map} -f ${web} -f ${hidden}`), { code: 0, stdout: '', stderr: '' })
    both.file('map.json', configMap('one', { a: 'c', d: 'e' }))
    both.file('web.json', deploymentWithImage('web', 'nginx:2', 3))
    both.file('secret.json', { ...secret, stringData: { a: 'x', e: 'f' } })
    for (const file of [map, web, hidden]) assert.equal((await same(both, `diff -f ${file}`)).code, 1)
    assert.doesNotMatch((await same(both, `diff -f ${hidden}`)).stdout, /Yg==|eA==/)
    await same(both, `diff -f ${map} -f ${web}`)
    await same(both, `diff -f ${map} --server-side`)
    await same(both, `diff -f ${map} --server-side --force-conflicts --field-manager=me`)
    await same(both, `diff -f ${map} --show-managed-fields`)
    await same(both, `diff -f ${map} -l a=b`)
    await same(both, `diff -f ${map}`, { variables: { KUBECTL_EXTERNAL_DIFF: 'diff -N -c' } })
    await same(both, `diff -f ${map}`, { variables: { KUBECTL_EXTERNAL_DIFF: 'nosuchprogram' } })
    await same(both, 'diff -f -', { input: JSON.stringify(configMap('one', { a: 'z' })) })
  },
  'refuses what the original refuses, with a code above 1': async (both) => {
    const lines = ['diff', 'diff -f nosuch.yaml', 'diff foo -f x', 'diff --nosuch', 'diff -f x --force-conflicts']
    for (const line of lines) assert.equal((await same(both, line)).code, 2)
  },
})
