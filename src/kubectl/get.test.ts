import { configMap, deployment, pod } from '../testing/kubectl/suite.js'
import { bothSuite } from './both.test.kit.js'

bothSuite('our kubectl get', {
  'prints tables as the original does': async (both) => {
    await both.sameLines(`
      get pods
      get pods --no-headers
      get pod nosuch
      get pod nosuch --ignore-not-found
    `)
    await both.given(
      pod('a', { app: 'web', tier: 'front' }),
      pod('much-longer-name', { app: 'web' }),
      configMap('one', { a: 'b' }),
    )
    await both.given(deployment('web'))
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
      pod('a', { app: 'web' }),
      pod('b'),
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
