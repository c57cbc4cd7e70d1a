import { describe, expect, it } from 'vitest'
import { rowOf } from '#test/fixture/row-of.ts'
import { DEFAULT_OPT_OUT, decideOptOut, matchOptOut, optOutSetting, replyIn } from './opt-out.ts'

type OptOutHeard = Parameters<typeof decideOptOut>[0]
const match = (...said: readonly string[]) => matchOptOut(said, DEFAULT_OPT_OUT)

describe('words of opt-out', () => {
  it('are whole messages, without capitals, accents, and marks and emoji around them [P-1329]', () => {
    for (const text of [
      'STOP',
      ' stop. ',
      '*Descadastrar*!',
      'Stop promotions',
      'optout',
      'Opt  out 🙏🏽',
      'NAO quero mais receber',
      '🛑 parar de receber ❤️',
      'ＳＴＯＰ',
      'S\u200bTOP',
    ])
      expect(match(text), text).toBe('sure')
    for (const text of ['SAIR', ' sair. ', 'Parar!', 'quero sair 😡', 'quit', 'salir', 'cancelar'])
      expect(match(text), text).toBe('unsure')
    for (const text of [
      'quero sair de casa',
      'não pare',
      '',
      '👍',
      'saiR1',
      'onde é a baja califórnia',
      'stop'.repeat(100),
    ])
      expect(match(text), text).toBeUndefined()
    expect([match('Voltar a receber'), match('start')]).toEqual(['start', 'start'])
  })

  it('of six letters or more may have one wrong letter, shorter ones none [P-1763]', () => {
    for (const text of ['descadastar', 'descadastrarr', 'desxadastrar', 'descadsatrar', 'unsubcribe', 'opt-out'])
      expect(match(text), text).toBe('sure')
    expect([match('cancela'), match('volta a receber')]).toEqual(['unsure', 'start'])
    for (const text of ['stpo', 'sai', 'baixa', 'descadasar', 'parat']) expect(match(text), text).toBeUndefined()
  })

  it('may have a greeting before, courtesy behind, and marks between the letters [P-2141]', () => {
    for (const text of [
      'Stop, please',
      'Hello! Unsubscribe. Thank you!',
      'por favor, descadastrar',
      'S T O P',
      'Oi, sair da lista',
    ])
      expect(match(text), text).toBe('sure')
    for (const text of [
      'Sair, por favor',
      'SAIR por favor, obrigada 🙏',
      'Olá, quero sair',
      'S.A.I.R',
      's-a-i-r',
      'Salir, gracias',
    ])
      expect(match(text), text).toBe('unsure')
    for (const text of ['por favor', 'obrigada', 'oi', 'não pare, por favor', 'sair para a praia, por favor', 'u.s.a'])
      expect(match(text), text).toBeUndefined()
  })

  it('are sentences that say nothing else, sure where they name messages and unsure about "this" [P-2203]', () => {
    for (const text of [
      'não quero receber mais',
      'Para de me mandar mensagem!!',
      'pare de me mandar mensagens, por favor',
      'Oi, não quero receber mensagens',
      'Stop sending me messages',
      'please, stop texting me',
      'I don’t want to receive messages',
      'No quiero recibir más mensajes, gracias',
      'deja de mandarme mensajes 😡',
    ])
      expect(match(text), text).toBe('sure')
    for (const text of [
      'quero parar de receber isso',
      'Não quero receber isso.',
      'stop sending me this',
      'quiero dejar de recibir esto',
      'Quiero darme de baja',
    ])
      expect(match(text), text).toBe('unsure')
    for (const text of [
      'não quero receber mais o boleto em papel',
      'quero parar de receber isso na minha casa antiga',
      'quero receber mais',
      'yo quiero recibir',
      'yo quiero recibir más mensajes',
      'I want to receive messages',
      'para de chover aí?',
      'não quero parar de receber',
      'quiero recibir esto',
    ])
      expect(match(text), text).toBeUndefined()
  })

  it('come as payloads and titles of buttons too [P-1763]', () => {
    const setting = { ...DEFAULT_OPT_OUT, buttons: ['optout:7'] }
    expect(matchOptOut(['optout:7', 'Não quero'], setting)).toBe('button')
    expect(matchOptOut(['x1', 'Stop promotions'], setting)).toBe('sure')
    expect(matchOptOut(['OPTOUT:7'], setting)).toBeUndefined()
  })

  it('are those of the setting where a level has one [P-1763]', () => {
    const row = rowOf('optoutsetting', 'o', {
      words: [{ id: 'a', word: 'chega', locale: 'pt', sure: true }],
      ...{ startwords: ['volta'], scope: 'all', pass_to_bot: true },
      reply: [
        { id: 'a', locale: 'pt', text: 'Pronto.' },
        { id: 'b', locale: 'en', text: 'Done.' },
      ],
    })
    const setting = optOutSetting(row)
    expect([matchOptOut(['Chega!'], setting), matchOptOut(['STOP'], setting)]).toEqual(['sure', undefined])
    expect([setting.scope, setting.passToBot]).toEqual(['all', true])
    expect([replyIn(setting.reply, 'en_US'), replyIn(setting.reply, 'fr'), replyIn([], 'pt')]).toEqual([
      'Done.',
      'Pronto.',
      undefined,
    ])
  })
})

describe('a decision about a message', () => {
  const heard = (said: string, more: Partial<OptOutHeard> = {}): OptOutHeard => ({
    ...{ said: [said], answersCampaign: false, lastCampaign: undefined, isStopped: false },
    bot: { offered: [], askedAt: undefined },
    ...more,
  })
  const decide = (said: string, more: Partial<OptOutHeard> = {}) => decideOptOut(heard(said, more), DEFAULT_OPT_OUT)
  const asking = (askedAt: number) => ({ offered: ['Continuar', 'Sair'], askedAt })

  it('stops by a sure word always, and keeps it from the bot [P-1764]', () => {
    expect(decide('STOP', { bot: { offered: ['Stop'], askedAt: 5 } })).toEqual({
      kind: 'stop',
      rule: 'sure',
      toBot: false,
    })
    expect(decideOptOut(heard('STOP'), { ...DEFAULT_OPT_OUT, passToBot: true })).toMatchObject({ toBot: true })
  })

  it('stops by an unsure word after a campaign, in answer to one, or where no bot answers [P-1764]', () => {
    expect(decide('SAIR', { lastCampaign: 10 })).toEqual({ kind: 'stop', rule: 'campaign', toBot: false })
    expect(decide('SAIR', { answersCampaign: true })).toEqual({ kind: 'stop', rule: 'answer', toBot: false })
    expect(decide('SAIR', { bot: undefined })).toEqual({ kind: 'stop', rule: 'nobot', toBot: false })
  })

  it('leaves an unsure word to the bot that offered it, unless a campaign came after the question [P-1764]', () => {
    expect(decide('sair', { bot: asking(20), lastCampaign: 10 })).toEqual({
      kind: 'pass',
      rule: 'offered',
      toBot: true,
    })
    expect(decide('sair', { bot: asking(20), lastCampaign: 30 })).toEqual({
      kind: 'stop',
      rule: 'campaign',
      toBot: false,
    })
    expect(decide('parar', { bot: asking(20), lastCampaign: 10 })).toMatchObject({ kind: 'stop', rule: 'campaign' })
    expect(decide('sair', { bot: asking(20), answersCampaign: true })).toEqual({
      kind: 'stop',
      rule: 'answer',
      toBot: true,
    })
  })

  it('leaves an unsure word without a campaign within 7 days to the bot [P-1764]', () => {
    expect(decide('cancelar')).toEqual({ kind: 'pass', rule: 'nocampaign', toBot: true })
    expect(decide('bom dia', { lastCampaign: 10 })).toEqual({ kind: 'none' })
  })

  it('resumes by a start word only for people whose own words stopped messages [P-1764]', () => {
    expect(decide('START')).toEqual({ kind: 'none' })
    expect(decide('START', { isStopped: true })).toEqual({ kind: 'start', rule: 'startword', toBot: false })
    expect(decide('START', { isStopped: true, bot: { offered: ['Start'], askedAt: 1 } })).toEqual({ kind: 'none' })
  })
})
