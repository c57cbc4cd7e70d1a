import type { JsonObject } from '#schemas/event.ts'
import type { FlowFile, FlowLink, FlowOperator } from '#schemas/flow/file.ts'

/** Blocks in a column; about a screen and a half. */
const COLUMN = 26
const OPTIONS = ['Marcar', 'Remarcar', 'Resultados']
const WORDS = 'Só um instante, por favor: estou consultando os horários da unidade que você escolheu.'

interface Kind {
  readonly type: string
  readonly title: string
  readonly properties: JsonObject
}

const START: Kind = { type: 'start', title: 'Início', properties: {} }
const KINDS: readonly ((n: number) => Kind)[] = [
  n => ({ type: 'text', title: `Mensagem ${n}`, properties: { text: WORDS } }),
  n => ({
    type: 'prompt',
    title: `Pergunta ${n}`,
    properties: {
      data: { type: 'choice', text: `Como podemos ajudar? (${n})`, options: OPTIONS.map(label => ({ label })) },
      varname: `resposta${n}`,
    },
  }),
  n => ({ type: 'assignvariables', title: `Guardar ${n}`, properties: { variables: [] } }),
  n => ({ type: 'restservice', title: `Consulta ${n}`, properties: { url: `https://clinica.example/api/${n}` } }),
  n => ({ type: 'text', title: `Aviso ${n}`, properties: { text: WORDS.toUpperCase() } }),
]

const INPUTS = { input_1: { label: '➜' } }
const outputsOf = (type: string) =>
  type === 'prompt'
    ? Object.fromEntries([...OPTIONS, '➜'].map((label, index) => [`output_${index + 1}`, { label }]))
    : { output_1: { label: '➜' } }

const operatorOf = (n: number): FlowOperator => {
  const { type, title, properties } = (n === 0 ? undefined : KINDS[n % KINDS.length]?.(n)) ?? START
  return {
    type,
    title,
    left: 100 + Math.floor(n / COLUMN) * 340,
    top: 100 + (n % COLUMN) * 120,
    properties: { titleorig: title, inputs: n === 0 ? {} : INPUTS, outputs: outputsOf(type), ...properties },
  }
}

/** A flow of so many blocks: columns that run downwards, each going on in the next, with ways back and across. */
export const generatedFlow = (blocks: number): FlowFile => {
  const links: Record<string, FlowLink> = {}
  const link = (from: number, output: number, to: number) => {
    if (to < 1 || to >= blocks || to === from) return
    links[`l${Object.keys(links).length}`] = {
      fromOperator: `n${from}`,
      fromConnector: `output_${output}`,
      toOperator: `n${to}`,
      toConnector: 'input_1',
    }
  }
  const operators: Record<string, FlowOperator> = {}
  for (let n = 0; n < blocks; n++) {
    operators[`n${n}`] = operatorOf(n)
    link(n, 1, n + 1)
    if (operators[`n${n}`]?.type !== 'prompt') continue
    link(n, 2, n + COLUMN)
    link(n, 3, n + 3)
    link(n, 4, n - 5)
  }
  return { format: 'parley-flow', version: 1, operators, links }
}
