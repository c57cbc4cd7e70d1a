import { expect, test } from 'vitest'
import { csvLine } from './export.ts'

test('a cell that a spreadsheet would run is made plain text', () => {
  expect(csvLine(['=HYPERLINK("http://x")', '+1', '-1', '@x', '＝1', 'plain'])).toBe(
    `"'=HYPERLINK(""http://x"")",'+1,'-1,'@x,'＝1,plain\r\n`,
  )
  expect(csvLine(['\t=1', '\n=1'])).toBe(`"'\t'=1","'\n'=1"\r\n`)
})

test('nor does it run what stands behind a semicolon, a tab or a line end, where it may split', () => {
  expect(csvLine(['a;=1+1', 'b\t@x', 'c\r\n"=1', 'd; e', 'f-1'])).toBe(`"a;'=1+1","b\t'@x","c\r\n'""=1","d; e",f-1\r\n`)
})

test('quotes separators, quotes and line ends', () => {
  expect(csvLine(['a,b', 'c"d', 'e\nf', ''])).toBe('"a,b","c""d","e\nf",\r\n')
})
