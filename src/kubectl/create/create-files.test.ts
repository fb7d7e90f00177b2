import { configMap, deploymentWithImage } from '../../testing/kubectl/suite.js'
import { comparisonSuite } from '../comparison.test.kit.js'
import { printYaml } from '../printers/yaml/yaml.js'

comparisonSuite('our kubectl create', {
  'creates what files describe': async (both) => {
    const file = both.file(
      'web.yaml',
      `${printYaml(deploymentWithImage('web'))}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n`,
    )
    const list = both.file('list.json', {
      apiVersion: 'v1',
      kind: 'List',
      items: [configMap('three'), configMap('four')],
    })
    await both.sameLines(`
      create -f ${file} --dry-run=client
      create -f ${file} --dry-run=client -o yaml
      create -f ${file} --dry-run=server
      create -f ${file}
      create -f ${file}
      create -f ${file} -o name
      create -f ${list} -o json --save-config
      get cm -o yaml
      get deploy -o yaml
      create -f ${both.folder('some', { 'a.yaml': printYaml(configMap('x')), 'b.txt': 'no', 'c/d.json': '{"apiVersion":"v1","kind":"Nosuch"}' })} --dry-run=client -R
    `)
  },
  'reads standard input': async (both) => {
    await both.same(['create', '-f', '-'], {
      input: JSON.stringify(configMap('one')) + JSON.stringify(configMap('two')),
    })
    await both.same(['create', '-f', '-'], {
      input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: x}\ndata: 1',
    })
    await both.same(['create', '-f', '-'], { input: '' })
    await both.same(['create', '-f', '-'], { input: 'a: b' })
    await both.same(['create', '-f', '-'], { input: 'a: b: c' })
    await both.same(['create', '-f', '-'], { input: '{"kind":"ConfigMap"}' })
    const unknown = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd}\nother: 1'
    await both.same(['create', '-f', '-'], { input: unknown })
    await both.same(['create', '-f', '-', '--validate=warn'], { input: unknown })
    await both.same(['create', '-f', '-'], { input: 'apiVersion: v1\nkind: Nosuch\nmetadata: {name: odd}' })
    await both.same(['create', '-f', '-'], { input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Odd_}' })
    await both.same(['create', '-f', '-'], {
      input: 'apiVersion: v1\nkind: Pod\nmetadata: {name: odd}\nspec: {containers: []}',
    })
    await both.same(['create', '-f', '-'], {
      input: 'apiVersion: v1\nkind: Pod\nmetadata: {name: odd}\nspec: {restartPolicy: x, containers: [{name: A}]}',
    })
    await both.same(['create', '-f', '-'], {
      input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: other}',
    })
  },
  'refuses what the original refuses': (both) =>
    both.sameLines(`
      create
      create nosuch
      create -f nosuch.yaml
      create -f ${both.home} --validate=maybe
      create -f x -k y
      create -f ${both.file('x.json', configMap('x'))} more
      create -f ${both.file('y.json', configMap('x'))} --dry-run=maybe
      create -f ${both.file('z.json', configMap('x'))} -o nosuch
    `),
})
