import { configMap, deploymentWithImage, podManifest } from '../../testing/kubectl/suite.js'
import { comparisonSuite } from '../comparison.test.kit.js'

comparisonSuite('our kubectl set', {
  'sets images': async (both) => {
    await both.given(deploymentWithImage('web'), deploymentWithImage('api'), podManifest('a'), configMap('one'))
    await both.sameLines(`
      set image deploy/web main=nginx:2
      set image deploy/web main=nginx:2
      set image deploy web '*=nginx:3' -o name
      set image deploy --all main=nginx:4
      set image pod/a main=busybox:1
      set image deploy/web nosuch=nginx
      set image deploy/web main=nginx:5 --dry-run=server
      set image deploy/web main=nginx:5 --dry-run=client
      set image deploy/web
      set image main=nginx
      set image deploy/nosuch main=nginx
      set image
      get deploy,pods -o jsonpath={..image}
    `)
  },
  'sets variables': async (both) => {
    await both.given(deploymentWithImage('web'), configMap('settings', { 'log.level': 'debug' }))
    await both.sameLines(`
      set env deploy/web A=b C=d
      set env deploy/web A=b
      set env deploy/web A- C=e
      set env deploy/web --list
      set env deploy/web --from=configmap/settings --prefix=X_
      set env deploy/web --list
      set env deploy/web -e Z=1 -c main
      set env deploy/web Y=1 -c nosuch
      set env deploy/web Z=2 --overwrite=false
      set env deploy/web
      set env
      get deploy web -o jsonpath={..env}
    `)
  },
  'sets resources': async (both) => {
    await both.given(deploymentWithImage('web'))
    await both.sameLines(`
      set resources deploy/web --limits=cpu=200m,memory=512Mi --requests=cpu=100m
      set resources deploy web -c=main --requests=memory=1Mi
      set resources deploy/web --limits=cpu=0
      set resources deploy/web
      set resources deploy/web --limits=cpu
      set resources deploy/web -c nosuch --limits=cpu=1
      set resources
      get deploy web -o jsonpath={..resources}
    `)
  },
})
