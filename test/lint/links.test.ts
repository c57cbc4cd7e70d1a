import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** Files of the working tree, those that are not committed yet included. */
const FILES = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
})
  .toString()
  .split('\0')
  .filter(file => file !== '' && existsSync(join(ROOT, file)))

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gmu, '').replace(/`[^`\n]*`/gu, '')

/** The anchor that GitHub and GitLab give to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsIn = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gmu)].map(([, heading]) => anchorOf(heading ?? ''))

/** Targets of links, pictures and reference definitions. */
const targetsIn = (text: string): readonly string[] =>
  [/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/gu, /^\[[^\]]+\]: (\S+)/gmu].flatMap(pattern =>
    [...text.matchAll(pattern)].map(([, target]) => target ?? ''),
  )

const brokenIn = (file: string): readonly string[] =>
  targetsIn(withoutCode(readFileSync(join(ROOT, file), 'utf8'))).filter(target => {
    if (/^[a-z]+:/u.test(target)) return false
    const [path = '', anchor] = decodeURI(target).split('#')
    const found = path === '' ? join(ROOT, file) : join(ROOT, dirname(file), path)
    if (!existsSync(found)) return true
    return anchor !== undefined && !anchorsIn(found).includes(anchor)
  })

test('the pages have links', () => {
  expect(FILES.length).toBeGreaterThan(40)
  expect(FILES.flatMap(file => targetsIn(readFileSync(join(ROOT, file), 'utf8'))).length).toBeGreaterThan(60)
})

test.each(FILES)('%s has no broken relative link', file => {
  expect(brokenIn(file)).toEqual([])
})
