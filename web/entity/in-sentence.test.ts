import { expect, test } from 'vitest'
import { inSentence } from './label.ts'

test('writes names in lower case within a sentence, acronyms unchanged', () => {
  expect(inSentence('Code sample')).toBe('code sample')
  expect(inSentence('NLU project')).toBe('NLU project')
  expect(inSentence('Meta App')).toBe('Meta app')
  expect(inSentence('Tiny URLs')).toBe('tiny URLs')
  expect(inSentence('Configuração de OAuth')).toBe('configuração de OAuth')
})
