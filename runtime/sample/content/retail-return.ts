import { type Sketch, sketch } from '../sketch.ts'

const { mark, say, ask, branch, call, set, media } = sketch

/** Exchange, return and refund. */
export const returns: Sketch = [
  {
    key: 'trocas',
    column: 1,
    row: 9,
    pieces: [
      mark('2. Trocas e devoluções'),
      say('Regras de troca', 'Você tem <b>7 dias</b> para se arrepender e <b>30 dias</b> para trocar, sem custo.'),
      ask('Pedido da troca', 'Qual pedido você quer trocar ou devolver?', 'pedido', { validation: 'AlphaNumeric' }),
      call('Confere o prazo', 'get', 'https://api.casalume.example/pedidos/{{pedido}}/troca', {
        result: 'prazo_troca',
      }),
      branch('Dentro do prazo?', [
        {
          label: 'Fora do prazo',
          variable: 'prazo_troca.no_prazo',
          datatype: 'boolean',
          is: 'isFalse',
          values: [],
          to: 'foradoprazo',
        },
      ]),
      ask('Motivo', 'Qual é o motivo?', 'motivo', {
        options: ['Defeito', 'Tamanho errado', 'Não gostei', 'Produto trocado'],
        style: 'list',
      }),
      ask('Trocar ou devolver', 'Você prefere trocar o produto ou receber o dinheiro de volta?', 'preferencia', {
        options: ['Trocar', 'Devolver'],
        style: 'button',
      }),
      branch('Troca ou devolução', [{ label: 'Devolver', variable: 'preferencia', to: 'reembolso' }], 'etiqueta'),
    ],
  },
  {
    key: 'etiqueta',
    column: 1,
    row: 19,
    pieces: [
      mark('2.1 Etiqueta de postagem'),
      call('Gera a etiqueta', 'post', 'https://api.casalume.example/etiquetas', {
        input: { pedido: '{{pedido}}', motivo: '{{motivo}}' },
        result: 'etiqueta',
      }),
      set('Guarda o código', { codigo_postagem: '{{etiqueta.codigo}}' }),
      say('Código de postagem', 'Leve o produto aos Correios com o código {{codigo_postagem}}. Vale por 10 dias.'),
      media('Como embalar', {
        kind: 'Video',
        text: 'Em um minuto: como embalar sem risco',
        uri: 'https://midia.casalume.example/como-embalar.mp4',
        buttons: ['Entendi'],
      }),
      say('Depois da postagem', 'Quando o produto chegar aqui, o novo sai no mesmo dia.', 'despedida'),
    ],
  },
  {
    key: 'reembolso',
    column: 2,
    row: 19,
    pieces: [
      mark('2.2 Reembolso'),
      ask('Forma de reembolso', 'Como você quer receber?', 'forma_reembolso', {
        options: ['Estorno no cartão', 'Pix', 'Vale-compra'],
        style: 'button',
      }),
      branch('É por Pix?', [{ label: 'Pix', variable: 'forma_reembolso', to: 'chavepix' }]),
      call('Pede o reembolso', 'post', 'https://pagamentos.casalume.example/reembolsos', {
        input: { pedido: '{{pedido}}', forma: '{{forma_reembolso}}' },
        result: 'reembolso',
      }),
      say(
        'Prazo do reembolso',
        'Pronto! O valor de R$ {{reembolso.valor}} volta em até {{reembolso.prazo}}.',
        'etiqueta',
      ),
    ],
  },
  {
    key: 'chavepix',
    column: 2,
    row: 29,
    pieces: [
      mark('2.3 Chave Pix'),
      ask('Chave Pix', 'Qual é a sua chave Pix? Pode ser CPF, e-mail ou telefone.', 'chave_pix'),
      call('Confere a chave', 'get', 'https://pagamentos.casalume.example/pix/chaves/{{chave_pix}}', {
        result: 'titular_pix',
      }),
      branch('É a mesma pessoa?', [
        { label: 'Outro titular', variable: 'titular_pix', is: 'notEquals', than: 'cpf', to: 'atendente' },
      ]),
      say(
        'Reembolso por Pix',
        'O Pix de R$ {{prazo_troca.valor}} sai em até um dia útil depois da postagem.',
        'etiqueta',
      ),
    ],
  },
  {
    key: 'foradoprazo',
    column: 2,
    row: 9,
    pieces: [
      mark('2.4 Fora do prazo'),
      say('Passou do prazo', 'Este pedido já passou do prazo de troca, mas a garantia é de 12 meses.'),
      ask('Usar a garantia', 'Quer acionar a garantia do produto?', 'usar_garantia', {
        options: ['Sim', 'Não'],
        style: 'button',
      }),
      branch('Aciona a garantia?', [{ label: 'Não', variable: 'usar_garantia', to: 'despedida' }], 'atendente'),
    ],
  },
]
