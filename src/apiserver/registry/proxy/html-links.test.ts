import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { withLinks } from './html-links.js'

const rewrite = (link: string) => (link.startsWith('/') ? `/through${link}` : link)

async function rewritten(page: string, pieces: readonly number[] = []): Promise<string> {
  const bytes = Buffer.from(page)
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let at = 0
    for (const length of pieces) {
      yield bytes.subarray(at, at + length)
      at += length
    }
    yield bytes.subarray(at)
  }
  const done: Uint8Array[] = []
  for await (const chunk of withLinks(chunks(), rewrite)) done.push(chunk)
  return Buffer.concat(done).toString()
}

describe('the links of a page', () => {
  const pages: Readonly<Record<string, readonly [string, string]>> = {
    'are rewritten, however they are quoted': [
      `<a href="/a">a</a> <A HREF='/b'>b</A> <a href=/c>c</a> <a href = "/d" >`,
      `<a href="/through/a">a</a> <A HREF='/through/b'>b</A> <a href=/through/c>c</a> <a href = "/through/d" >`,
    ],
    'are those of scripts, pictures and forms, too': [
      '<script src="/s.js"></script><img alt="/x" src="/i.png"/><form action="/f"><link href="/l.css" rel="/r">',
      '<script src="/through/s.js"></script><img alt="/x" src="/through/i.png"/><form action="/through/f"><link href="/through/l.css" rel="/r">',
    ],
    'are left alone where they are text': [
      `<p href="/p">&lt;a href="/t"> <script>x = '<a href="/s">'</script><!-- <a href="/c"> --><style>a{b:"<a href=/y>"}</style>`,
      `<p href="/p">&lt;a href="/t"> <script>x = '<a href="/s">'</script><!-- <a href="/c"> --><style>a{b:"<a href=/y>"}</style>`,
    ],
    'are found behind what only looks like them': [
      `<a title="x > href='/t'" data-href="/d" href="/a"> 1 < 2 <3 <!doctype> <a href="/b">`,
      `<a title="x > href='/t'" data-href="/d" href="/through/a"> 1 < 2 <3 <!doctype> <a href="/through/b">`,
    ],
    'are found after a raw element': [
      '<title><a href="/t"></TITLE><a href="/a">',
      '<title><a href="/t"></TITLE><a href="/through/a">',
    ],
    'may be all there is, unfinished': ['<a href="/a', '<a href="/a'],
  }
  for (const [sentence, [page, expected]] of Object.entries(pages)) {
    test(sentence, async () => assert.equal(await rewritten(page), expected))
    test(`${sentence}, in pieces of any length`, () =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.nat(12)), async (pieces) => {
          assert.equal(await rewritten(page, pieces), expected)
        }),
      ))
  }

  test('are rewritten, and the rest of the page is the same, byte for byte', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'<>/!-="\' aé\nscript'), maxLength: 80 }),
        fc.array(fc.nat(9)),
        async (page, pieces) => {
          assert.equal((await rewritten(page, pieces)).replaceAll('/through', ''), page)
        },
      ),
    ))

  test('are not rewritten in tags that are too long', async () => {
    const picture = `<img src="/${'x'.repeat(20_000)}">`
    const script = `<script>${'y'.repeat(20_000)}</script>`
    const page = `${picture}<a href="/a">${script}<a href="/b">`
    const expected = `${script}<a href="/through/b">`
    const all = await rewritten(page, new Array(200).fill(1000))
    assert.ok(all.endsWith(expected))
    assert.equal(all.replaceAll('/through', ''), page)
  })

  test('are rewritten with bounded memory and time for any page', async () => {
    const hostile = ['<'.repeat(50_000), '<a '.repeat(20_000), '<a href="'.repeat(10_000), `<!--${'x '.repeat(30_000)}`]
    for (const page of hostile) {
      let [given, done] = [0, 0]
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < page.length; at += 100) {
          assert.ok(given - done <= 8 * 1024, `${given - done} bytes are held back`)
          given = Math.min(at + 100, page.length)
          yield Buffer.from(page.slice(at, given))
        }
      }
      for await (const piece of withLinks(pieces(), (link) => link)) done += piece.length
      assert.equal(done, page.length)
    }
  })
})
