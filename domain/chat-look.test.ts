import { describe, expect, it } from 'vitest'
import { chatinterface } from '#schemas/entities/chatinterface.ts'
import type { Json } from '#schemas/event.ts'
import { chatLook, chatMenu, chatPictures } from './chat-look.ts'

const fileAddress = (id: string) => `/pictures/${id}`
const bare = { bot: { name: 'Lume' }, look: undefined, themes: [], conversation: undefined, fileAddress }

/** A value of each field that is not its default. */
const sampleOf = (name: string, kind: string): Json => {
  if (kind === 'boolean') return true
  if (kind === 'integer') return 33
  return kind === 'color' ? '#123456' : `https://a.example/${name}`
}

describe('the look of a web chat', () => {
  it('has the defaults of the specification where nothing is given [P-1846]', () => {
    const look = chatLook(bare)
    expect(look.size).toMatchObject({ width: '372px', height: 'calc(100% - 80px)' })
    expect(look.header.title).toBe('Lume')
    expect(look.answer).toMatchObject({ dropdownFrom: null, calendar: true })
    expect(look.remember).toBe(true)
    expect(chatLook({ ...bare, look: { use_dropdown: true } }).answer.dropdownFrom).toBe(8)
  })

  it('follows every field of the chat interface [D-3.5.12]', () => {
    const fields = Object.entries(chatinterface.fields).filter(([name]) => name !== 'bot')
    const before = JSON.stringify(chatLook({ ...bare, look: { use_dropdown: true } }))
    for (const [name, field] of fields) {
      const isOn = name === 'use_dropdown' || ('initial' in field && field.initial === true)
      const value = isOn ? false : sampleOf(name, field.kind)
      const after = JSON.stringify(chatLook({ ...bare, look: { use_dropdown: true, [name]: value } }))
      expect(after, name).not.toBe(before)
    }
  })

  it('addresses uploaded pictures, and knows them as the only files of the chat', () => {
    const look = { chat_logo: { id: 'f1', name: 'a.png', type: 'image/png', size: 1 }, botavtar: 'https://a.example/b' }
    expect(chatLook({ ...bare, look }).header.logo).toBe('/pictures/f1')
    expect(chatPictures(look)).toEqual(['f1'])
  })

  it('takes colours and styles of the default theme alone', () => {
    const themes = [
      { colors: { primary: '#FF0000' }, css: '.a{}' },
      { default: true, colors: { primary: '#00FF00', text: null }, css: '.b{}' },
    ]
    expect(chatLook({ ...bare, themes })).toMatchObject({ colors: { primary: '#00FF00', text: '' }, css: '.b{}' })
  })

  it('has the enabled user tips in their order, ten at most [P-2989]', () => {
    const tip = (message: string, order: number | null, more = {}) => ({ message, order, locale: 'pt', ...more })
    const tips = [tip('c', null), tip('b', 5), tip('x', 0, { enabled: false }), tip('a', 1, { locale: 'en' })]
    expect(chatLook({ ...bare, tips }).tips).toEqual([
      { language: 'en', text: 'a' },
      { language: 'pt', text: 'b' },
      { language: 'pt', text: 'c' },
    ])
    expect(chatLook({ ...bare, tips: Array.from({ length: 12 }, (_, at) => tip('t', at)) }).tips).toHaveLength(10)
  })

  it('offers in the menu what the bot allows and the tasks that are shown', () => {
    const bot = { restartconversationinmenu: true, connecttoagentinmenu: true, agentenabled: false }
    const tasks = [
      { id: 't1', name: 'Orders', showinmenu: true },
      { id: 't2', name: 'Hidden', showinmenu: false },
    ]
    expect(chatMenu(bot, tasks)).toEqual([{ id: 'restart' }, { id: 't1', title: 'Orders' }])
    expect(chatMenu({ ...bot, agentenabled: true }, [])).toEqual([{ id: 'restart' }, { id: 'agent' }])
  })
})
