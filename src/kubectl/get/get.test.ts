import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { configMap, deploymentWithImage, podManifest } from '../../testing/kubectl/suite.js'
import { comparisonSuite } from '../comparison.test.kit.js'

comparisonSuite('our kubectl get', {
  'prints tables as the original does': async (both) => {
    await both.sameLines(`
      get pods
      get pods --no-headers
      get pod nosuch
      get pod nosuch --ignore-not-found
    `)
    await both.given(
      podManifest('a', { app: 'web', tier: 'front' }),
      podManifest('much-longer-name', { app: 'web' }),
      configMap('one', { a: 'b' }),
    )
    await both.given(deploymentWithImage('web'))
    await both.sameLines(`
      get pods
      get po -o wide
      get pods --show-labels
      get pods -L app,tier
      get pods -Ltier --no-headers
      get pods -l tier
      get pods -l 'tier in (front)' -o name
      get pods --field-selector=metadata.name=a
      get pods a much-longer-name
      get pods a nosuch
      get pod/a deploy/web cm/one
      get pods,deploy,cm
      get all
      get all -o name
      get deployments.apps
      get deployments.v1.apps/web --show-kind
      get Pod a
      get pods --sort-by=.metadata.name
      get pods --sort-by={.metadata.nosuch}
      get pods --chunk-size=1
      get namespaces default
      get pods --server-print=false
    `)
  },
  'prints objects as the original does': async (both) => {
    await both.given(
      podManifest('a', { app: 'web' }),
      podManifest('b'),
      configMap('one', { text: 'two\nlines\n', number: '1', star: '*' }),
    )
    await both.sameLines(`
      get cm one -o yaml
      get cm one -o json
      get cm one -oname
      get pods -o yaml
      get pods -ojson
      get pods/a pods/b -o yaml
      get pods -o name
      get pods nosuch -o yaml
      get pods -o jsonpath={.items[*].metadata.name}
      get pods -o 'jsonpath={range .items[*]}{.metadata.name}{"\\t"}{.spec.containers[0].image}{"\\n"}{end}'
      get pods -o 'jsonpath={.items[?(@.metadata.name=="b")].spec.containers[*].name}'
      get pods -o jsonpath={.items[-1:].metadata.name}
      get pods -o jsonpath={..image}
      get pods -o jsonpath={.items[0].metadata.labels}
      get pods -o jsonpath={.items[0].metadata['name','namespace']}
      get pods -o jsonpath={.nosuch}
      get pods -o jsonpath={.items[7]}
      get pods -o jsonpath={.items[0
      get pods -o jsonpath-as-json={.items[*].metadata.name}
      get pods -o go-template '--template={{len .items}}'
      get pods -o 'go-template={{range .items}}{{.metadata.name}} {{.metadata.nosuch}}{{"\\n"}}{{end}}'
      get pods -o 'go-template={{range $i, $p := .items}}{{if $i}}, {{end}}{{$p.metadata.name | printf "%-5s|"}}{{end}}'
      get pods -o 'go-template={{with index .items 0}}{{.metadata.name}}{{else}}none{{end}}{{.kind}}'
      get pods -o 'go-template={{range .items}}{{if and (eq .metadata.name "a") (not .nosuch)}}yes{{else}}no{{end}}{{end}}'
      get pods -o 'go-template={{(index .items 0).metadata.labels}}'
      get pods -o custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image,NONE:.nosuch
      get pods -o custom-columns=NAME:.metadata.name --no-headers
      get pods -o custom-columns=NAME
      get pods -o custom-columns=L:.metadata.labels,C:.spec.tolerations
      get pods -o nosuch
      get pods -o jsonpath
    `)
  },
  'writes YAML as the original does, whatever stands in it': async (both) => {
    const long =
      'a line that is so long that it is broken at a space beyond the eightieth column, and once more beyond the next eighty of them'
    const texts = [
      '',
      'true',
      'y',
      '012',
      '1e3',
      '2020-01-01',
      '*x',
      'a: b',
      'a:b',
      'a #b',
      '- x',
      "it's",
      '"',
      'a\nb\n',
      'a\nb',
      'a\n\n',
    ]
    const more = [
      '  a\nb\n',
      'a\tb',
      'a ',
      ' a',
      '{x}',
      'null',
      '~',
      '0x1f',
      '<<',
      '? a',
      '1:20',
      '1_0',
      'a\\b',
      '<&>',
      '😀',
      long,
      `'${long}`,
      `${long}\n${long}`,
    ]
    const data = Object.fromEntries([...texts, ...more].map((text, index) => [`key${index}`, text]))
    await both.given(configMap('odd', data))
    await both.sameLines(`
      get cm odd -o yaml
      get cm odd -o json
      get cm odd -o jsonpath={.data}
    `)
  },
  watches: async (both) => {
    await both.given(configMap('one'), podManifest('a'))
    const watched = both.ours([
      'get',
      'pods',
      '-w',
      '--request-timeout=3s',
      '-o',
      'custom-columns=NAME:.metadata.name,APP:.metadata.labels.app',
    ])
    const table = both.ours([
      'get',
      'pods',
      'a',
      '--watch',
      '--no-headers',
      '--output-watch-events',
      '--request-timeout=3s',
    ])
    await sleep(1000)
    await both.ours(['label', 'pod', 'a', 'app=web'])
    assert.equal((await watched).stdout, 'NAME   APP\na      <none>\na      web\n')
    assert.match((await table).stdout, /^ADDED +a +0\/1 +Pending .*\nMODIFIED +a +0\/1 +Pending .*\n$/)
  },
  'keeps what it learned where the original looks for it, and asks anew for what it does not find': async (both) => {
    await both.given(configMap('one'))
    const requests = async () => (await both.ours(['get', 'cm', 'one', '-v=6'])).stderr.match(/GET https/g)?.length
    assert.equal(await requests(), 1, 'the original has filled the cache')
    const folder = join(both.home, '.kube/cache/discovery')
    const [server = ''] = readdirSync(folder)
    const file = join(folder, server, 'v1/serverresources.json')
    const list = JSON.parse(readFileSync(file, 'utf8')) as { resources: readonly { name: string }[] }
    const without = { ...list, resources: list.resources.filter(({ name }) => name !== 'configmaps') }
    writeFileSync(file, JSON.stringify(without))
    assert.equal(await requests(), 3, 'two to look again')
    assert.equal(await requests(), 1)
    assert.match(readFileSync(file, 'utf8'), /"name":"configmaps"/)
  },
  'refuses what the original refuses, in the same words': (both) =>
    both.sameLines(`
      get
      get nosuch
      get nosuch.example.com
      get pods --nosuch
      get pods -z
      get pods -n
      get pods --chunk-size=a
      get pods a -l a=b
      get pods/a b
      get pods/a/b
      get pods/
      get pod a -A
      get pods -f x.yaml
      get -f nosuch.yaml
      get pods -l 'a b'
      get pods --field-selector=nosuch=a
      get pods --watch-only=maybe
      get pods,nosuch
      nosuch
      gett pods
      get --raw /nosuch
      get pods --context=nosuch
      get pods --user=nosuch
    `),
})
