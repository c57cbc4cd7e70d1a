import { type Sketch, sketch } from '../sketch.ts'

const { mark, say, ask, branch, call, gallery, media } = sketch

/** Payment, what is new, and the shops. */
export const shop: Sketch = [
  {
    key: 'pagamento',
    column: 3,
    row: 9,
    pieces: [
      mark('3. Pagamento'),
      ask('Assunto do pagamento', 'O que você precisa sobre pagamento?', 'assunto_pagamento', {
        options: ['Segunda via do boleto', 'Código Pix', 'Compra recusada'],
        style: 'list',
      }),
      branch('Qual assunto', [
        { label: 'Boleto', variable: 'assunto_pagamento', values: ['Segunda via do boleto'], to: 'boleto' },
        { label: 'Recusada', variable: 'assunto_pagamento', values: ['Compra recusada'], to: 'recusada' },
      ]),
      call('Gera o Pix', 'post', 'https://pagamentos.casalume.example/pix', {
        input: { pedido: '{{pedido}}' },
        result: 'pix',
      }),
      say('Pix copia e cola', 'Copie o código e pague no seu banco em até <b>30 minutos</b>:\n{{pix.codigo}}'),
      media('QR Code', { text: 'Ou aponte a câmera', uri: 'https://midia.casalume.example/pix/{{pedido}}.png' }),
      say('Confirmação', 'Assim que o pagamento cair, eu confirmo por aqui.', 'despedida'),
    ],
  },
  {
    key: 'boleto',
    column: 3,
    row: 19,
    pieces: [
      mark('3.1 Segunda via do boleto'),
      call('Busca o boleto', 'get', 'https://pagamentos.casalume.example/boletos/{{pedido}}', { result: 'boleto' }),
      branch('Ainda dá para pagar?', [
        {
          label: 'Vencido',
          variable: 'boleto.vencido',
          datatype: 'boolean',
          is: 'isTrue',
          values: [],
          to: 'pagamento',
        },
      ]),
      say(
        'Linha digitável',
        'Aqui está a linha digitável, com vencimento em {{boleto.vencimento}}:\n{{boleto.linha_digitavel}}',
      ),
      say('PDF do boleto', 'Também mandei o PDF para {{cliente.email}}.', 'despedida'),
    ],
  },
  {
    key: 'recusada',
    column: 3,
    row: 29,
    pieces: [
      mark('3.2 Compra recusada'),
      say('Por que foi recusada', 'O banco não aprovou a compra. O motivo mais comum é limite ou dados do cartão.'),
      ask('Outro pagamento', 'Quer tentar de outro jeito?', 'outro_pagamento', {
        options: ['Pix', 'Outro cartão'],
        style: 'button',
      }),
      branch('Como pagar', [{ label: 'Pix', variable: 'outro_pagamento', to: 'pagamento' }]),
      say(
        'Link do carrinho',
        'O carrinho está guardado. Finalize com outro cartão em https://casalume.example/carrinho.',
        'despedida',
      ),
    ],
  },
  {
    key: 'novidades',
    column: 4,
    row: 9,
    pieces: [
      mark('4. Novidades'),
      say('Apresenta as novidades', 'Olha o que acabou de chegar na Casa Lume! ✨'),
      gallery('Lançamentos', [
        {
          title: 'Luminária Aurora',
          text: 'LED regulável, três tons de luz',
          picture: 'https://midia.casalume.example/aurora.jpg',
          buttons: ['Quero esta', 'Ver mais'],
        },
        {
          title: 'Poltrona Sabiá',
          text: 'Linho natural e pés de jequitibá',
          picture: 'https://midia.casalume.example/sabia.jpg',
          buttons: ['Quero esta', 'Ver mais'],
        },
        {
          title: 'Tapete Maré',
          text: 'Algodão, 2,00 × 2,50 m',
          picture: 'https://midia.casalume.example/mare.jpg',
          buttons: ['Quero este', 'Ver mais'],
        },
      ]),
      ask('Gostou de algum', 'Qual deles combina mais com a sua casa?', 'produto_escolhido', {
        options: ['Luminária Aurora', 'Poltrona Sabiá', 'Tapete Maré', 'Nenhum deles'],
        style: 'list',
      }),
      branch('Escolheu', [
        { label: 'Nenhum', variable: 'produto_escolhido', values: ['Nenhum deles'], to: 'despedida' },
      ]),
      call('Consulta o estoque', 'get', 'https://api.casalume.example/estoque?produto={{produto_escolhido}}', {
        result: 'estoque',
      }),
      branch('Tem em estoque?', [{ label: 'Esgotado', variable: 'estoque.quantidade', values: ['0'], to: 'aviseme' }]),
      say(
        'Link do produto',
        '{{produto_escolhido}} está disponível por R$ {{estoque.preco}}. Compre em {{estoque.link}}.',
        'despedida',
      ),
    ],
  },
  {
    key: 'aviseme',
    column: 4,
    row: 19,
    pieces: [
      mark('4.1 Avise-me'),
      say('Esgotou', 'Este produto esgotou, mas volta na semana que vem.'),
      ask('Seu e-mail', 'Para qual e-mail eu mando o aviso?', 'email', { validation: 'Email' }),
      call('Guarda o interesse', 'post', 'https://api.casalume.example/interesses', {
        input: { produto: '{{produto_escolhido}}', email: '{{email}}' },
        result: 'interesse',
      }),
      say('Anotado', 'Anotado! Você vai ser a primeira pessoa a saber.', 'despedida'),
    ],
  },
  {
    key: 'lojas',
    column: 5,
    row: 9,
    pieces: [
      mark('5. Lojas'),
      ask('CEP', 'Digite seu CEP para eu achar a loja mais próxima.', 'cep', { validation: 'CEP' }),
      call('Lojas por perto', 'get', 'https://api.casalume.example/lojas?cep={{cep}}', { result: 'lojas' }),
      branch('Há loja por perto?', [
        { label: 'Nenhuma', variable: 'lojas[0]', datatype: 'object', is: 'isNull', values: [], to: 'semloja' },
      ]),
      say('Loja mais próxima', 'A loja mais perto é a {{lojas[0].nome}}, na {{lojas[0].endereco}}.'),
      say('Horário da loja', 'Ela abre de segunda a sábado, das 9h às 20h. 🕘'),
      media('Como chegar', {
        text: 'Mapa da loja {{lojas[0].nome}}',
        uri: 'https://midia.casalume.example/lojas/{{lojas[0].id}}.png',
      }),
      say('Boa visita', 'Boa visita! Mostre esta conversa no caixa e ganhe frete grátis.', 'despedida'),
    ],
  },
  {
    key: 'semloja',
    column: 5,
    row: 19,
    pieces: [
      mark('5.1 Sem loja por perto'),
      say('Ainda não chegamos', 'Ainda não temos loja na sua região, mas entregamos em todo o Brasil.', 'novidades'),
    ],
  },
]
