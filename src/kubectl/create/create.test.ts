import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { comparisonSuite } from '../comparison.test.kit.js'

/** Each line as it is, twice, and as a dry run in every form. Upstream ignores `--save-config` when it creates services. */
function inEveryForm(lines: string): string {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line) => [
      within(line, '--dry-run=client -o yaml'),
      within(line, '--dry-run=client -o json'),
      ...(/^create (service|svc) /.test(line) ? [] : [within(line, '--dry-run=client --save-config -o yaml')]),
      within(line, '--dry-run=server -o yaml'),
      within(line, '-o json --dry-run=server'),
      within(line, '--dry-run=server'),
      line,
      line,
    ])
    .join('\n')
}

/** Inserts flags before the command at the end of a line. */
function within(line: string, flags: string): string {
  return line.includes(' -- ') ? line.replace(' -- ', ` ${flags} -- `) : `${line} ${flags}`
}

comparisonSuite('our kubectl create, of flags alone', {
  'makes workloads': (both) =>
    both.sameLines(
      inEveryForm(`
        create deployment web --image=nginx:1.27
        create deploy big --image=a.example.com:5000/x/nginx@sha256:${'0'.repeat(64)},busybox --replicas=3 --port=80
        create deployment idle --image=busybox -r 2 -- sleep 3600
        create job once --image=busybox
        create job words --image=busybox -- echo one two
        create cronjob nightly --image=busybox --schedule='0 3 * * *' -- date
        create cj never --image=busybox --schedule='@daily' --restart=Never
        create job now --from=cronjob/nightly
      `),
    ),
  'makes services and what leads to them': (both) =>
    both.sameLines(
      inEveryForm(`
        create service clusterip one --tcp=80:8080 --tcp=81,82:http
        create svc clusterip headless --clusterip=None
        create service nodeport two --tcp=80:8080
        create service loadbalancer four --tcp=80
        create service externalname five --external-name=store.example.com
        create service externalname six --external-name=store.example.com --tcp=80:81
        create ingress one --rule=web.example.com/=web:80
        create ingress two --rule='a.example.com/*=web:http,tls=secret' --rule=a.example.com/b=web:81 --rule='b.example.com/x*=y:1,tls' --class=public
        create ing three --default-backend=web:80 --annotation=a=b --annotation=c=
        create ingress four --rule='/=web:80,tls=one' --rule='/x=web:80,tls=one' --rule='h/x=web:80,tls=one'
      `),
    ),
  'makes config maps and secrets': async (both) => {
    const file = both.file('plain.txt', 'one\ntwo\n')
    const folder = both.folder('several', { a: '1', 'b.txt': '2\n', 'c/d': '3' })
    const variables = both.file('variables.env', '\ufeff# comment\n A=1\nB=two words \n\nPATHLESS\nHOMELESS=x=y\n')
    const binary = join(both.home, 'binary')
    execFileSync('sh', ['-c', `printf '\\377\\000\\001' > ${binary}`])
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-subj',
        '/CN=x',
        '-keyout',
        join(both.home, 'key'),
        '-out',
        join(both.home, 'cert'),
      ],
      { stdio: 'ignore' },
    )
    execFileSync('openssl', ['genrsa', '-out', join(both.home, 'other'), '2048'], { stdio: 'ignore' })
    await both.sameLines(
      inEveryForm(`
        create configmap empty
        create configmap literal --from-literal=a=b --from-literal=c=d,e=f --from-literal='g='
        create cm files --from-file=${file} --from-file=named=${file} --from-file=${binary}
        create configmap folder --from-file=${folder}
        create configmap env --from-env-file=${variables}
        create configmap hash --from-literal=a=b --append-hash
        create configmap hash --from-literal='a=<b>' --from-file=${binary} --append-hash
        create secret generic empty
        create secret generic literal --from-literal=z=b --from-file=${folder} --type=example.com/mine
        create secret generic env --from-env-file=${variables} --append-hash
        create secret docker-registry pull --docker-username=jane --docker-password='<secret>' --docker-email=jane@example.com
        create secret docker-registry pull2 --docker-server=r.example.com --docker-username=jane --docker-password=x
        create secret docker-registry pull3 --from-file=.dockerconfigjson=${both.file('docker.json', '{"auths":{}}')}
        create secret tls web --cert=${both.home}/cert --key=${both.home}/key
      `),
    )
    await both.sameLines(`
      create configmap x --from-literal=a
      create configmap x --from-literal==a
      create configmap x --from-literal='a b=c'
      create configmap x --from-literal=a=b --from-literal=a=c
      create configmap x --from-file=nosuch
      create configmap x --from-file=${binary} --from-file=${binary}
      create configmap x --from-file=a=b=c
      create configmap x --from-file==c
      create configmap x --from-file=c=
      create configmap x --from-file=a=${folder}
      create configmap x --from-env-file=${folder}
      create configmap x --from-env-file=nosuch
      create configmap x --from-env-file=${both.file('bad.env', '0 x=1')}
      create configmap x --from-env-file=${variables} --from-literal=a=b
      create configmap
      create configmap a b
      create secret nosuch
      create secret generic
      create secret generic x --from-literal=a=b --from-literal=a=c
      create secret generic x --from-file=nosuch
      create secret generic x --from-literal='/=c'
      create secret docker-registry x
      create secret docker-registry x --docker-username=a
      create secret tls x
      create secret tls x --cert=nosuch --key=nosuch
      create secret tls x --cert=${both.home}/key --key=${both.home}/key
      create secret tls x --cert=${both.home}/cert --key=${both.home}/cert
      create secret tls x --cert=${both.home}/cert --key=${both.home}/other
      create secret tls x --cert=${file} --key=${both.home}/key
    `)
  },
  'makes accounts and roles': (both) =>
    both.sameLines(
      `${inEveryForm(`
        create serviceaccount robot
        create sa other
        create role reader --verb=get,list,get --resource=pods,deploy,pods/log
        create role named --verb='*' --resource=rs.apps,secrets --resource-name=a --resource-name=b --resource-name=a
        create role all --verb=get --resource=pods,*
        create role odd --verb=fly --resource=pods
        create role bind --verb=bind --resource=roles
        create role users --verb=impersonate --resource=users,groups
        create rolebinding one --role=reader --user=jane --user=joe,jim --group=team --serviceaccount=team:robot
        create rolebinding two --clusterrole=view --serviceaccount=team:robot
        create rolebinding three --role=x
      `)}
      create clusterrole proa-c --verb=get --resource=nodes --dry-run=client -o yaml
      create clusterrole proa-c --verb=get --non-resource-url=/healthz,/x/* --resource=nodes --dry-run=server -o json
      create clusterrole proa-c --aggregation-rule=a/b=c,d=e --dry-run=client -o yaml
      create clusterrole proa-c --aggregation-rule=a/b=c --dry-run=server -o yaml
      create clusterrole view --aggregation-rule=a/b=c
      create clusterrole x --aggregation-rule=a
      create clusterrole x --aggregation-rule=a=b --verb=get
      create clusterrole x --verb=get
      create clusterrole x --verb=fly --non-resource-url=/a
      create clusterrole x --verb=get --non-resource-url=a
      create clusterrole x --verb=get --non-resource-url=/*/a
      create clusterrole x
      create clusterrolebinding proa-x --clusterrole=view --group=team --dry-run=server -o yaml
      create clusterrolebinding proa-x --clusterrole=view --serviceaccount=team:robot --dry-run=client -o json
      create clusterrolebinding proa-x
      create clusterrolebinding proa-x --clusterrole=view --serviceaccount=team
      create clusterrolebinding cluster-admin --clusterrole=view
      create role x
      create role x --verb=get
      create role x --resource=pods
      create role x --verb=get --resource=nosuch
      create role x --verb=get --resource=pods.nosuch
      create role x --verb=get --resource=/log
      create role x --verb=bind --resource=pods
      create role x --verb=use --resource=nosuch
      create rolebinding x
      create rolebinding x --role=a --clusterrole=b
    `,
    ),
  'makes the rest': (both) =>
    both.sameLines(
      `${inEveryForm(`
        create quota small --hard=cpu=1000m,memory=1024Mi,pods=2
        create resourcequota best --hard=pods=1k --scopes=BestEffort
        create quota empty
        create pdb one --selector=app=web --min-available=1
        create poddisruptionbudget two --selector='app=web,tier in (b,a),!old,x,y notin (z)' --max-unavailable=50%
      `)}
      create namespace proa-made --dry-run=client -o yaml
      create ns proa-made --dry-run=server -o name
      create namespace proa-made --dry-run=client -o json --save-config
      create namespace default
      create namespace
      create namespace a b
      create namespace A_
      create priorityclass proa-pc --value=1000 --description='first of all' --dry-run=client -o yaml
      create pc proa-pc --value=-1 --global-default --preemption-policy=Never --dry-run=server -o json
      create pc proa-pc --dry-run=client -o yaml
      create pc system-node-critical --value=5
      create pc x --value=abc
      create pc x --value=5 --preemption-policy=Maybe
      create quota x --hard=cpu
      create quota x --hard=cpu=x
      create quota x --hard=cpu=1=2
      create quota x --hard=pods=1 --scopes=Nosuch
      create pdb x
      create pdb x --selector=a=b
      create pdb x --selector=a=b --min-available=1 --max-unavailable=1
      create pdb x --selector=a=b --min-available=1Gb
      create pdb x --selector=a=b --max-unavailable=-1
      create pdb x --selector='a=(b' --max-unavailable=1
      create pdb x --selector='a!=1' --max-unavailable=1
      create pdb x --selector='a>1' --max-unavailable=1
      create deployment
      create deployment x
      create deployment x y --image=a
      create deployment x --image=a,b -- c
      create deployment x --image=
      create deployment X_ --image=a
      create job x
      create job x --image=a --from=cronjob/b
      create job x --from=cronjob/b -- c
      create job x --from=cronjob/nosuch
      create job x --from=sa/default
      create job x --from=nosuch
      create cronjob x
      create cronjob x --image=a
      create cronjob x --image=a --schedule=never
      create service clusterip
      create service clusterip x
      create service clusterip x1 --clusterip=None --tcp=80
      create service clusterip x --tcp=a
      create service clusterip x --tcp=0
      create service clusterip x --tcp=80:0
      create service clusterip x --tcp=80:70000
      create service clusterip x --tcp=80:A_
      create service clusterip x --tcp=80:1:2 -o yaml --dry-run=client
      create service clusterip x --tcp=70000
      create service clusterip x --tcp=-1
      create service clusterip x --tcp=80:-1
      create service clusterip x --tcp=80 --clusterip=1.2.3.4
      create service nodeport x --tcp=80 --node-port=1
      create service nodeport x
      create service loadbalancer x
      create service externalname x
      create ingress x
      create ingress x --rule=a
      create ingress x --rule=a/b=c
      create ingress x --default-backend=a
      create ingress x --default-backend=a:b --annotation=c
      create deployment x --image=a --dry-run=maybe
      create deployment x --image=a --validate=maybe
      create deployment x --image=a -o nosuch
    `,
    ),
  'asks for tokens': (both) =>
    both.sameLines(`
      create token
      create token nosuch
      create token default --duration=-1s
      create token default --duration=1ms
      create token default --duration=1s
      create token default --audience=
      create token default --bound-object-kind=Nosuch
      create token default --bound-object-kind=Pod
      create token default --bound-object-name=x
      create token default --bound-object-uid=x
      create token default --bound-object-kind=Pod --bound-object-name=nosuch
      create token default --duration=1h --audience=a --audience=b -o jsonpath={.spec}
      create token default -o name
    `),
})
