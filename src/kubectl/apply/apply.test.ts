import { configMap, deploymentWithImage } from '../../testing/kubectl/suite.js'
import { comparisonSuite } from '../comparison.test.kit.js'

comparisonSuite('our kubectl apply', {
  'creates, changes and leaves alone': async (both) => {
    const [one, two] = ['nginx:1', 'nginx:2'].map((image, index) =>
      both.file(`${index}.json`, deploymentWithImage('web', image)),
    )
    const data = both.file(
      'data.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, labels: {a: b}}\ndata: {a: "1", b: "2"}',
    )
    const less = both.file(
      'less.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {b: "<3>", c: "4"}',
    )
    await both.sameLines(`
      apply -f ${one} --dry-run=client
      apply -f ${one}
      apply -f ${one}
      apply -f ${two} --dry-run=server
      apply -f ${two} --dry-run=client
      apply -f ${two}
      apply -f ${two} -o name
      get deploy web -o yaml
      apply -f ${data} -f ${two}
      apply -f ${less}
      get cm one -o yaml
      apply view-last-applied cm/one
      apply -f ${data} -f ${two} -o yaml
      apply -f ${data} -o jsonpath={.metadata.name}
    `)
  },
  'merges lists by their keys, and keeps what others have set': async (both) => {
    const container = (name: string, more = {}) => ({ name, image: 'nginx:1', ...more })
    const web = (...containers: readonly object[]) => {
      const made = deploymentWithImage('web') as { spec: { template: { spec: object } } }
      return { ...made, spec: { ...made.spec, template: { ...made.spec.template, spec: { containers } } } } as never
    }
    const first = both.file('first.json', web(container('a', { env: [{ name: 'X', value: '1' }] }), container('b')))
    const second = both.file('second.json', web(container('c'), container('a', { env: [{ name: 'Y', value: '2' }] })))
    await both.sameLines(`apply -f ${first}`)
    for (const run of [both.real.bind(both), both.ours.bind(both)])
      await run(['patch', 'deploy', 'web', '-p', '{"spec":{"replicas":5,"paused":true}}'])
    await both.sameLines(`
      apply -f ${second}
      get deploy web -o jsonpath={.spec.template.spec.containers}
      apply -f ${second}
    `)
  },
  'takes over what was not applied': async (both) => {
    await both.given(configMap('plain', { a: 'b' }))
    const file = both.file('plain.json', configMap('plain', { c: 'd' }))
    await both.sameLines(`
      apply -f ${file}
      get cm plain -o yaml
    `)
  },
  'lets the server do it': async (both) => {
    const file = both.file('web.json', deploymentWithImage('web', 'nginx:1'))
    const changed = both.file('changed.json', deploymentWithImage('web', 'nginx:2'))
    await both.sameLines(`
      apply -f ${file}
      apply -f ${file} --server-side
      get deploy web -o yaml --show-managed-fields
      apply -f ${file} --server-side --field-manager=other
      apply -f ${changed} --server-side
      apply -f ${changed} --server-side --force-conflicts
      apply -f ${changed} --server-side --dry-run=server -o name
      get deploy web -o yaml
    `)
  },
  prunes: async (both) => {
    const all = both.file(
      'all.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, labels: {set: a}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: two, labels: {set: a}}',
    )
    const some = both.file('some.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, labels: {set: a}}')
    await both.sameLines(`
      apply -f ${all}
      apply -f ${some} --prune -l set=a --prune-allowlist=core/v1/ConfigMap --dry-run=server
      apply -f ${some} --prune -l set=a --prune-allowlist=core/v1/ConfigMap
      get cm -o name
    `)
  },
  'refuses what the original refuses': async (both) => {
    const file = both.file('x.json', configMap('x'))
    await both.sameLines(`
      apply
      apply more
      apply -f ${file} more
      apply -f ${file} --force-conflicts
      apply -f ${file} --server-side --dry-run=client
      apply -f ${file} --prune
      apply -f nosuch
      apply -f ${file} -o nosuch
      apply -f ${both.file('g.json', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'x' } })}
      apply view-last-applied cm/nosuch
    `)
  },
})
