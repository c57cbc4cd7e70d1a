import { describe, expect, test } from 'vitest'
import { insertedVariable, markedText } from './template-text.ts'

describe('insertedVariable', () => {
  test('takes the smallest free number [P-2925]', () => {
    expect(insertedVariable('Oi ', 3, 3, false)).toEqual({ text: 'Oi {{1}}', from: 8, to: 8 })
    expect(insertedVariable('Oi {{1}}, até {{3}}', 9, 9, false).text).toBe('Oi {{1}},{{2}} até {{3}}')
  })

  test('selects the name of a named variable, unless it was selected before [P-2925]', () => {
    const { text, from, to } = insertedVariable('Oi ', 3, 3, true)
    expect(text).toBe('Oi {{nome}}')
    expect(text.slice(from, to)).toBe('nome')
    expect(insertedVariable('Oi cidade!', 3, 9, true)).toEqual({ text: 'Oi {{cidade}}!', from: 13, to: 13 })
    expect(insertedVariable('Oi João!', 3, 7, true).text).toBe('Oi {{nome}}!')
  })
})

describe('markedText', () => {
  test('marks the selection without its outer spaces, and takes the marks away again [P-2925]', () => {
    const marked = markedText('A semana toda', 1, 9, '*')
    expect(marked).toEqual({ text: 'A *semana* toda', from: 3, to: 9 })
    expect(markedText(marked.text, marked.from, marked.to, '*')).toEqual({ text: 'A semana toda', from: 2, to: 8 })
    expect(markedText('Oi', 2, 2, '_')).toEqual({ text: 'Oi__', from: 3, to: 3 })
  })
})
