import { type Sketch, sketch } from '../sketch.ts'

const { start, mark, say, ask, branch, call, set, end } = sketch

/** Flow of the satisfaction survey. */
export const retailReview: Sketch = [
  {
    key: 'avaliacao',
    column: 1,
    row: 0,
    pieces: [
      start(),
      mark('Avaliação'),
      ask('Nota', 'De 0 a 10, quanto você recomendaria a Casa Lume a um amigo?', 'nota', {
        kind: 'number',
        retry: 'Responda com um número de 0 a 10, por favor.',
        giveup: 'obrigada',
      }),
      branch(
        'Faixa da nota',
        [
          { label: 'Detratores', variable: 'nota', is: 'lessOrEqual', values: ['6'], to: 'melhorar' },
          { label: 'Promotores', variable: 'nota', is: 'greaterOrEqual', values: ['9'], to: 'indicar' },
        ],
        'obrigada',
      ),
    ],
  },
  {
    key: 'melhorar',
    column: 0,
    row: 5,
    pieces: [
      mark('O que melhorar'),
      ask('Motivo da nota', 'O que a gente podia ter feito melhor?', 'motivo_nota', { giveup: 'obrigada' }),
      set('Marca para retorno', { retornar: '{{true}}' }),
      say('Retorno', 'Obrigada por contar. Alguém da equipe liga para você amanhã.', 'obrigada'),
    ],
  },
  {
    key: 'indicar',
    column: 2,
    row: 5,
    pieces: [
      mark('Indique um amigo'),
      say(
        'Cupom de indicação',
        'Que alegria! 💛 Dê o cupom <b>AMIGO15</b> a quem você gosta: os dois ganham 15%.',
        'obrigada',
      ),
    ],
  },
  {
    key: 'obrigada',
    column: 1,
    row: 10,
    pieces: [
      mark('Obrigada'),
      call('Grava a avaliação', 'post', 'https://api.casalume.example/avaliacoes', {
        input: { nota: '{{nota}}', motivo: '{{motivo_nota}}' },
        result: 'avaliacao',
        fails: 'fim',
      }),
      say('Agradecimento', 'Obrigada pelo seu tempo, {{cliente.nome}}!', 'fim'),
    ],
  },
  { key: 'fim', column: 1, row: 14, pieces: [end()] },
]
