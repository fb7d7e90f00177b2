import { configMap, deploymentWithImage, podManifest } from '../testing/kubectl/suite.js'
import { comparisonSuite } from './comparison.test.kit.js'
import { printYaml } from './printers/yaml/yaml.js'

comparisonSuite('our kubectl delete', {
  'deletes by name, by label, by file, and all': async (both) => {
    const file = both.file('x.yaml', `${printYaml(configMap('one'))}---\n${printYaml(deploymentWithImage('web'))}`)
    await both.given(
      configMap('one'),
      configMap('two'),
      configMap('three'),
      deploymentWithImage('web'),
      deploymentWithImage('more'),
    )
    await both.given(podManifest('a', { app: 'x' }), podManifest('b', { app: 'x' }), podManifest('c'))
    await both.sameLines(`
      delete cm one --dry-run=client
      delete cm one --dry-run=server
      delete -f ${file}
      delete -f ${file}
      delete -f ${file} --ignore-not-found
      delete cm two nosuch three
      delete cm/two deploy/more
      delete deploy/nosuch cm/nosuch
      delete pods -l app=x
      delete pods -l app=x
      delete pods --all
      delete pods --all
      get all
    `)
  },
  'deletes at once, and prints names': async (both) => {
    await both.given(podManifest('a'), podManifest('b'), podManifest('c'), deploymentWithImage('web'))
    await both.sameLines(`
      delete pod a --force
      delete pod b --now
      delete pod c -o name --grace-period=0
      delete deploy web --cascade=orphan --wait=false
      delete cm nosuch --force --grace-period=0
    `)
  },
  'asks first where that is wanted': async (both) => {
    await both.given(configMap('one'))
    await both.same(['delete', 'cm', 'one', '-i'], { input: 'n\n' })
    await both.same(['delete', 'cm', 'one', '-i'], { input: 'y\n' })
  },
  'refuses what the original refuses': async (both) => {
    await both.sameLines(`
      delete
      delete pods
      delete nosuch x
      delete pod x --now --grace-period=3
      delete pod x --force --grace-period=5
      delete pod x --cascade=nosuch
      delete pods --all -l a=b
      delete pods -o json
      delete pods x --all
      delete node nosuch
      delete pods x -l a=b
    `)
  },
})
