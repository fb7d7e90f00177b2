import { configMap, deploymentWithImage, podManifest } from '../../testing/kubectl/suite.js'
import { comparisonSuite } from '../comparison.test.kit.js'

comparisonSuite('our kubectl changes objects:', {
  labels: async (both) => {
    await both.given(podManifest('a'), podManifest('b', { app: 'x' }), configMap('one'))
    await both.sameLines(`
      label pod a tier=front
      label pod a tier=front
      label pod a tier=back
      label pod a tier=back --overwrite
      label pods --all env=test other=x
      label pods a b env-
      label pod a env-
      label pod a x=y --dry-run=client
      label cm/one only=this
      label cm/one --list
      label pod a x=y --dry-run=server -o name
      label cm/one x=y -o yaml
      label pod a
      label
      label pod a x=y b
      label pod a 'x=a b'
      label pod a 'x y=a'
      label pod nosuch x=y
      label pod a x=y x-
      get pods --show-labels
    `)
  },
  annotations: async (both) => {
    await both.given(podManifest('a'), configMap('one'))
    await both.sameLines(`
      annotate pod a note=hello
      annotate pod a note=hello
      annotate pod a note=other
      annotate pod a note=other --overwrite
      annotate pods --all 'text=a b c'
      annotate pod a text-
      annotate pod a nosuch-
      annotate cm/one x=y -o json
      annotate pod a --list
      annotate pod a
      annotate
      annotate pod nosuch x=y
      get pods -o jsonpath={.items[*].metadata.annotations}
    `)
  },
  patches: async (both) => {
    await both.given(deploymentWithImage('web'), configMap('one', { a: 'b' }))
    await both.sameLines(`
      patch deploy web -p '{"spec":{"replicas":3}}'
      patch deploy web -p '{"spec":{"replicas":3}}'
      patch deploy/web -p 'spec: {paused: true}' --dry-run=server
      patch deploy web -p '{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"nginx:9"}]}}}}' -o name
      patch cm one --type=json -p '[{"op":"add","path":"/data/c","value":"d"}]'
      patch cm one --type=json -p '[{"op":"remove","path":"/data/nosuch"}]'
      patch cm one --type=merge -p '{"data":{"a":null}}' -o yaml
      patch cm one -p '{"data":{"x":"y"}}' --dry-run=client -o yaml
      patch deploy web --subresource=scale --type=merge -p '{"spec":{"replicas":5}}'
      patch cm one -p '{"data":{"x":"y"}}' --dry-run=client
      patch cm one
      patch cm one -p x --type=nosuch
      patch cm one -p '{'
      patch cm nosuch -p '{}'
      patch cm one -p '{"data":[]}'
      patch -p '{}'
      get deploy web -o yaml
    `)
  },
  replacement: async (both) => {
    await both.given(configMap('one', { a: 'b' }))
    const file = both.file('one.json', configMap('one', { c: 'd' }))
    const other = both.file('other.json', configMap('other'))
    await both.sameLines(`
      replace -f ${file} --dry-run=client
      replace -f ${file}
      replace -f ${file} -o name --save-config
      replace -f ${other}
      replace --force -f ${file}
      replace --force -f ${other}
      replace
      replace -f ${file} --grace-period=1
      get cm -o yaml
    `)
  },
  sizes: async (both) => {
    await both.given(deploymentWithImage('web'), deploymentWithImage('api'), podManifest('a'))
    await both.sameLines(`
      scale deploy web --replicas=5
      scale deploy/web deploy/api --replicas=1
      scale deploy web --replicas=2 --current-replicas=4
      scale deploy web --replicas=2 --current-replicas=1
      scale deploy web --replicas=2 --resource-version=1
      scale deploy --all --replicas=3
      scale deploy web --replicas=7 --dry-run=client
      scale deploy web --replicas=7 --dry-run=server
      scale deploy web --replicas=7 -o name
      scale pod a --replicas=2
      scale deploy nosuch --replicas=1
      scale deploy web
      scale deploy web --replicas=-1
      scale --replicas=1
      get deploy
    `)
  },
  'services for them': async (both) => {
    await both.given(deploymentWithImage('web'), podManifest('a', { app: 'x' }), podManifest('bare'), configMap('one'))
    await both.sameLines(`
      expose deploy web
      expose deploy web --name=two --port=81 --target-port=http --type=NodePort
      expose deploy web --name=three --port=81,82 --protocol=UDP --selector=a=b --labels=c=d
      expose pod a --port=1 --name=four --dry-run=client -o yaml
      expose svc two --port=3 --name=five
      expose deploy web --name=six --cluster-ip=None --session-affinity=ClientIP -o json
      expose pod a
      expose pod bare --port=1
      expose cm one --port=1
      expose deploy nosuch
      expose deploy web --name=bad --port=x
      expose
      get svc -o yaml
    `)
  },
})
