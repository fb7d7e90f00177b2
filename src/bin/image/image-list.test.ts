import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pauseImageName } from '../../cri/images/pause-image.js'
import { type ImageRemoval, type ImageUser, planRemoval } from './image-removal.js'
import { formatSize, imageJson, imageTable } from './image-table.js'

const id = (digit: string) => `sha256:${digit.repeat(64)}`
const image = (digit: string, repoTags: string[], repoDigests: string[] = []) => ({
  id: id(digit),
  repoTags,
  repoDigests,
  size: 12_345_678,
  pinned: false,
})

describe('a list of images', () => {
  const images = [
    image('b', ['docker.io/library/web:2', 'docker.io/library/web:1']),
    image('a', ['localhost:5000/x:latest']),
    image('c', [], [`docker.io/library/gone@${id('d')}`]),
    image('e', []),
  ]

  test('has a line for each name', () => {
    assert.equal(
      imageTable(images),
      `REPOSITORY               TAG      IMAGE ID       SIZE
<none>                   <none>   eeeeeeeeeeee   12.3MB
docker.io/library/gone   <none>   cccccccccccc   12.3MB
docker.io/library/web    1        bbbbbbbbbbbb   12.3MB
docker.io/library/web    2        bbbbbbbbbbbb   12.3MB
localhost:5000/x         latest   aaaaaaaaaaaa   12.3MB
`,
    )
  })

  test('is JSON for programs', () => {
    assert.deepEqual(JSON.parse(imageJson(images.slice(0, 1))), [
      { id: id('b'), tags: ['docker.io/library/web:2', 'docker.io/library/web:1'], digests: [], size: 12_345_678 },
    ])
    assert.equal(imageJson([]), '[]\n')
  })

  test('has sizes of three digits', () => {
    const sizes = [0, 999, 1000, 12_345, 999_600, 1_234_567, 5e9, 2e15]
    assert.deepEqual(sizes.map(formatSize), ['0B', '999B', '1kB', '12.3kB', '1MB', '1.23MB', '5GB', '2000TB'])
  })
})

describe('removing an image', () => {
  const images = [
    image('a', ['docker.io/library/web:1', 'docker.io/library/web:latest']),
    image('b', ['localhost/tool:1'], [`localhost/tool@${id('f')}`]),
    image('ab', []),
    image('c', [pauseImageName]),
    { ...image('d', ['localhost/pinned:1']), pinned: true },
  ]
  const container = (imageRef: string, pod?: string): ImageUser => ({
    imageRef,
    image: undefined,
    labels:
      pod === undefined
        ? {}
        : {
            'io.kubernetes.pod.name': pod,
            'io.kubernetes.pod.namespace': 'test',
            'io.kubernetes.container.name': 'main',
          },
  })
  const plan = (name: string, containers: ImageUser[] = []) => planRemoval(name, { images, containers })

  const cases: Readonly<Record<string, ImageRemoval>> = {
    web: { kind: 'name', name: 'docker.io/library/web:latest' },
    'docker.io/library/web:1': { kind: 'name', name: 'docker.io/library/web:1' },
    'localhost/tool:1': { kind: 'image', id: id('b'), names: ['localhost/tool:1'] },
    [`localhost/tool@${id('f')}`]: { kind: 'image', id: id('b'), names: ['localhost/tool:1'] },
    [id('a')]: { kind: 'image', id: id('a'), names: ['docker.io/library/web:1', 'docker.io/library/web:latest'] },
    bbbb: { kind: 'image', id: id('b'), names: ['localhost/tool:1'] },
    abab: { kind: 'image', id: id('ab'), names: [id('ab')] },
  }
  for (const [name, expected] of Object.entries(cases)) test(`by ${name}`, () => assert.deepEqual(plan(name), expected))

  test('is refused for one that is not there', () => {
    for (const name of ['web:3', 'Not A Name', 'ffff', ''])
      assert.throws(() => plan(name), { name: 'MissingImageError', message: `there is no image ${name}` })
    const twins = [image('a', []), { ...image('a', []), id: `sha256:aaaa${'1'.repeat(60)}` }]
    assert.throws(() => planRemoval('aaaa', { images: twins, containers: [] }), /beginning of several image IDs/)
  })

  test('is refused for one that containers use', () => {
    const users = [container(id('b'), 'one'), container('localhost/tool:1'), container(id('a'), 'other')]
    assert.throws(() => plan('localhost/tool:1', users), {
      message:
        'localhost/tool:1 is in use by container main of pod test/one, a container that is not part of a pod; delete the pods first',
    })
    const many = Array.from({ length: 5 }, (_, at) => container(id('a'), `web-${at}`))
    assert.throws(() => plan('web', many), /pod test\/web-2 and 2 more; delete/)
    assert.equal(plan('localhost/tool:1', many).kind, 'image')
  })

  test('is refused for one that the runtime needs', () => {
    for (const name of [pauseImageName, 'localhost/pinned:1'])
      assert.throws(() => plan(name), /cannot be removed: the runtime needs it for every pod/)
  })
})
