import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('a cell that a spreadsheet would run is made plain text', () => {
  expect(csvLine(['=HYPERLINK("http://x")', '+1', '-1', '@x', '\t=1', 'plain'])).toBe(
    `"'=HYPERLINK(""http://x"")",'+1,'-1,'@x,'\t=1,plain\r\n`,
  )
})

test('separators, quotes and line ends stand in quotes', () => {
  expect(csvLine(['a,b', 'c"d', 'e\nf', ''])).toBe('"a,b","c""d","e\nf",\r\n')
})
