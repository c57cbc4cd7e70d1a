import type { Language } from '#schemas/language.ts'
import {
  type BotTemplate,
  botTemplate,
  choice,
  ending,
  line,
  opening,
  question,
  section,
  tell,
} from '../bot-template.ts'

/** A question of a form: title, text and options. */
type FormQuestion = readonly [title: string, text: string, options?: readonly string[]]

interface FormWords {
  readonly name: string
  readonly description: string
  readonly segment: string
  readonly task: string
  readonly hello: string
  readonly asked: readonly FormQuestion[]
  /** Summary with the variables, which the person confirms. */
  readonly summary: string
  readonly done: string
}

interface Form {
  readonly key: string
  /** Variables of the questions, and what a person of the tests answers where there are no options. */
  readonly fields: readonly (readonly [variable: string, answer: string, validation?: 'Email' | 'MobilePhone'])[]
  readonly words: Readonly<Record<Language, FormWords>>
}

/** Texts that all forms share. */
const COMMON = {
  pt: {
    hello: 'Boas-vindas',
    summary: 'Resumo',
    confirm: line('Confirmação', 'Está tudo certo?'),
    right: 'Sim, confirmar',
    wrong: 'Não, corrigir',
    done: 'Conclusão',
    retry: 'Não consegui ler. Pode escrever de novo?',
    straight: 'Confirma de primeira',
    corrected: 'Corrige e confirma',
  },
  en: {
    hello: 'Welcome',
    summary: 'Summary',
    confirm: line('Confirmation', 'Is everything right?'),
    right: 'Yes, confirm',
    wrong: 'No, correct it',
    done: 'Done',
    retry: 'I could not read that. Could you write it again?',
    straight: 'Confirms at once',
    corrected: 'Corrects, then confirms',
  },
  es: {
    hello: 'Bienvenida',
    summary: 'Resumen',
    confirm: line('Confirmación', '¿Está todo bien?'),
    right: 'Sí, confirmar',
    wrong: 'No, corregir',
    done: 'Cierre',
    retry: 'No pude leerlo. ¿Puede escribirlo de nuevo?',
    straight: 'Confirma a la primera',
    corrected: 'Corrige y confirma',
  },
} as const

const withCommon = ({ words }: Form) => {
  const of = (language: Language) => {
    const common = COMMON[language]
    const own = words[language]
    return {
      ...{ ...common, ...own },
      hello: line(common.hello, own.hello),
      summary: line(common.summary, own.summary),
      done: line(common.done, own.done),
    }
  }
  return { pt: of('pt'), en: of('en'), es: of('es') }
}

/** A bot that asks one thing after the other, and for a confirmation. */
const formTemplate = (form: Form): BotTemplate =>
  botTemplate({
    key: form.key,
    words: withCommon(form),
    variables: [...form.fields.map(([variable]) => [variable, 'string'] as const), ['confirmed', 'string']],
    flow: w => [
      opening(w, tell(w.hello, 'ask')),
      section(
        'ask',
        1,
        2,
        ...w.asked.map(([title, text, options], place) => {
          const [variable = '', , validation] = form.fields[place] ?? []
          const more = validation === undefined ? {} : { validation, retry: w.retry }
          return question([title, text], variable, options === undefined ? more : { options, style: 'list' })
        }),
        tell(w.summary),
        ...choice(w.confirm, 'confirmed', [w.right, w.wrong], ['done', 'ask']),
      ),
      section('done', 2, 6, tell(w.done, 'end')),
      ending(w, 2, 8),
    ],
    tests: w => {
      const answers = w.asked.map(([, , options], place) =>
        options === undefined ? { user: form.fields[place]?.[1] ?? '' } : { choose: options[0] ?? '' },
      )
      const first = [{ bot: w.hello[1] }, ...answers]
      const last = [{ choose: w.right }, { bot: w.done[1] }]
      return [
        { name: w.straight, steps: [...first, ...last] },
        { name: w.corrected, steps: [...first, { choose: w.wrong }, ...answers, ...last] },
      ]
    },
  })

/** Books a time. */
export const appointment = formTemplate({
  key: 'appointment',
  fields: [
    ['service', ''],
    ['day', ''],
    ['hour', ''],
    ['person', 'Ana Souza'],
    ['phone', '+55 11 98765-4321'],
  ],
  words: {
    pt: {
      name: 'Agendamento',
      description: 'Marca um horário: serviço, dia, hora e contato.',
      segment: 'Saúde e beleza',
      task: 'Agendar',
      hello: 'Olá! Vamos marcar o seu horário.',
      asked: [
        ['Serviço', 'Qual serviço você quer?', ['Corte', 'Coloração', 'Manicure']],
        ['Dia', 'Para qual dia?', ['Amanhã', 'Depois de amanhã', 'Sábado']],
        ['Hora', 'Qual horário fica melhor?', ['9h', '11h', '15h', '17h']],
        ['Nome', 'Em nome de quem?'],
        ['Telefone', 'Qual é o seu telefone, com DDD?'],
      ],
      summary: '{{service}}, {{day}} às {{hour}}, em nome de {{person}}.',
      done: 'Horário marcado! Mandamos um lembrete no dia.',
    },
    en: {
      name: 'Appointment',
      description: 'Books a time: service, day, hour and contact.',
      segment: 'Health and beauty',
      task: 'Book',
      hello: "Hello! Let's book your appointment.",
      asked: [
        ['Service', 'Which service would you like?', ['Haircut', 'Colouring', 'Manicure']],
        ['Day', 'For which day?', ['Tomorrow', 'The day after', 'Saturday']],
        ['Hour', 'Which time suits you best?', ['9 am', '11 am', '3 pm', '5 pm']],
        ['Name', 'Under which name?'],
        ['Phone', 'What is your phone number?'],
      ],
      summary: '{{service}}, {{day}} at {{hour}}, for {{person}}.',
      done: 'Your appointment is booked! We send you a reminder on the day.',
    },
    es: {
      name: 'Citas',
      description: 'Reserva una cita: servicio, día, hora y contacto.',
      segment: 'Salud y belleza',
      task: 'Reservar',
      hello: '¡Hola! Vamos a reservar su cita.',
      asked: [
        ['Servicio', '¿Qué servicio desea?', ['Corte', 'Coloración', 'Manicura']],
        ['Día', '¿Para qué día?', ['Mañana', 'Pasado mañana', 'Sábado']],
        ['Hora', '¿Qué horario prefiere?', ['9 h', '11 h', '15 h', '17 h']],
        ['Nombre', '¿A nombre de quién?'],
        ['Teléfono', '¿Cuál es su teléfono?'],
      ],
      summary: '{{service}}, {{day}} a las {{hour}}, a nombre de {{person}}.',
      done: '¡Cita reservada! Le enviamos un recordatorio ese día.',
    },
  },
})

/** Records contacts of interested people. */
export const lead = formTemplate({
  key: 'lead',
  fields: [
    ['person', 'Bruno Lima'],
    ['company', 'Casa Azul'],
    ['email', 'bruno@example.org', 'Email'],
    ['interest', ''],
    ['deadline', ''],
  ],
  words: {
    pt: {
      name: 'Captação de clientes',
      description: 'Conhece quem chega pelo site e passa o contato à equipe de vendas.',
      segment: 'Vendas',
      task: 'Primeiro contato',
      hello: 'Oi! Conte um pouco de você, e um consultor entra em contato.',
      asked: [
        ['Nome', 'Como você se chama?'],
        ['Empresa', 'De qual empresa você é?'],
        ['E-mail', 'Qual é o seu e-mail de trabalho?'],
        ['Interesse', 'O que você procura?', ['Conhecer o produto', 'Preços', 'Trocar de fornecedor']],
        ['Prazo', 'Para quando?', ['Já', 'Este trimestre', 'Só pesquisando']],
      ],
      summary: '{{person}}, da {{company}}: {{interest}} ({{deadline}}). Resposta para {{email}}.',
      done: 'Recebido! Um consultor escreve para você ainda hoje.',
    },
    en: {
      name: 'Lead capture',
      description: 'Gets to know visitors of the site and passes them on to sales.',
      segment: 'Sales',
      task: 'First contact',
      hello: 'Hi! Tell us a little about you, and a consultant gets in touch.',
      asked: [
        ['Name', 'What is your name?'],
        ['Company', 'Which company are you with?'],
        ['E-mail', 'What is your work e-mail?'],
        ['Interest', 'What are you looking for?', ['A first look', 'Prices', 'Changing supplier']],
        ['Deadline', 'For when?', ['Right away', 'This quarter', 'Just looking']],
      ],
      summary: '{{person}} from {{company}}: {{interest}} ({{deadline}}). Answer to {{email}}.',
      done: 'Got it! A consultant writes to you today.',
    },
    es: {
      name: 'Captación de clientes',
      description: 'Conoce a quien llega por el sitio y pasa el contacto al equipo de ventas.',
      segment: 'Ventas',
      task: 'Primer contacto',
      hello: '¡Hola! Cuéntenos un poco de usted y un asesor lo contacta.',
      asked: [
        ['Nombre', '¿Cómo se llama?'],
        ['Empresa', '¿De qué empresa es?'],
        ['Correo', '¿Cuál es su correo de trabajo?'],
        ['Interés', '¿Qué busca?', ['Conocer el producto', 'Precios', 'Cambiar de proveedor']],
        ['Plazo', '¿Para cuándo?', ['Ya', 'Este trimestre', 'Solo mirando']],
      ],
      summary: '{{person}}, de {{company}}: {{interest}} ({{deadline}}). Respuesta a {{email}}.',
      done: '¡Recibido! Un asesor le escribe hoy mismo.',
    },
  },
})

/** Reserves a table. */
export const restaurant = formTemplate({
  key: 'restaurant',
  fields: [
    ['people', ''],
    ['day', ''],
    ['hour', ''],
    ['place', ''],
    ['person', 'Carla Nunes'],
  ],
  words: {
    pt: {
      name: 'Reserva de mesa',
      description: 'Reserva uma mesa: pessoas, dia, horário e lugar.',
      segment: 'Restaurantes',
      task: 'Reservas',
      hello: 'Boa escolha! Vamos reservar a sua mesa.',
      asked: [
        ['Pessoas', 'Mesa para quantas pessoas?', ['2', '3 ou 4', '5 ou 6', 'Mais de 6']],
        ['Dia', 'Para quando?', ['Hoje', 'Amanhã', 'Fim de semana']],
        ['Horário', 'Em qual horário?', ['12h', '13h', '19h', '20h30']],
        ['Lugar', 'Onde prefere sentar?', ['Salão', 'Varanda', 'Tanto faz']],
        ['Nome', 'Em nome de quem fica a reserva?'],
      ],
      summary: 'Mesa para {{people}}, {{day}} às {{hour}} ({{place}}), em nome de {{person}}.',
      done: 'Mesa reservada! Guardamos o lugar por 15 minutos.',
    },
    en: {
      name: 'Table booking',
      description: 'Books a table: people, day, time and place.',
      segment: 'Restaurants',
      task: 'Bookings',
      hello: "Good choice! Let's book your table.",
      asked: [
        ['People', 'A table for how many people?', ['2', '3 or 4', '5 or 6', 'More than 6']],
        ['Day', 'For when?', ['Today', 'Tomorrow', 'The weekend']],
        ['Time', 'At what time?', ['12 noon', '1 pm', '7 pm', '8:30 pm']],
        ['Place', 'Where would you like to sit?', ['Inside', 'On the terrace', 'Anywhere']],
        ['Name', 'Under which name?'],
      ],
      summary: 'A table for {{people}}, {{day}} at {{hour}} ({{place}}), for {{person}}.',
      done: 'Your table is booked! We keep it for 15 minutes.',
    },
    es: {
      name: 'Reserva de mesa',
      description: 'Reserva una mesa: personas, día, horario y lugar.',
      segment: 'Restaurantes',
      task: 'Reservas',
      hello: '¡Buena elección! Vamos a reservar su mesa.',
      asked: [
        ['Personas', '¿Mesa para cuántas personas?', ['2', '3 o 4', '5 o 6', 'Más de 6']],
        ['Día', '¿Para cuándo?', ['Hoy', 'Mañana', 'Fin de semana']],
        ['Horario', '¿A qué hora?', ['12 h', '13 h', '19 h', '20:30 h']],
        ['Lugar', '¿Dónde prefiere sentarse?', ['Salón', 'Terraza', 'Me da igual']],
        ['Nombre', '¿A nombre de quién?'],
      ],
      summary: 'Mesa para {{people}}, {{day}} a las {{hour}} ({{place}}), a nombre de {{person}}.',
      done: '¡Mesa reservada! Guardamos el lugar por 15 minutos.',
    },
  },
})

/** Signs people up for an event. */
export const event = formTemplate({
  key: 'event',
  fields: [
    ['session', ''],
    ['ticket', ''],
    ['person', 'Davi Rocha'],
    ['email', 'davi@example.org', 'Email'],
  ],
  words: {
    pt: {
      name: 'Inscrição em evento',
      description: 'Inscreve participantes e confirma por e-mail.',
      segment: 'Eventos',
      task: 'Inscrições',
      hello: 'Bem-vindo! A inscrição leva menos de um minuto.',
      asked: [
        ['Sessão', 'De qual sessão você quer participar?', ['Abertura', 'Oficina da manhã', 'Oficina da tarde']],
        ['Ingresso', 'Presencial ou pela internet?', ['Presencial', 'Pela internet']],
        ['Nome', 'Qual nome vai no crachá?'],
        ['E-mail', 'Para qual e-mail mandamos o ingresso?'],
      ],
      summary: '{{person}}: {{session}}, {{ticket}}. Ingresso para {{email}}.',
      done: 'Inscrição feita! O ingresso chega no seu e-mail.',
    },
    en: {
      name: 'Event registration',
      description: 'Signs people up and confirms by e-mail.',
      segment: 'Events',
      task: 'Registration',
      hello: 'Welcome! Signing up takes less than a minute.',
      asked: [
        ['Session', 'Which session would you like to join?', ['Opening', 'Morning workshop', 'Afternoon workshop']],
        ['Ticket', 'In person or online?', ['In person', 'Online']],
        ['Name', 'Which name goes on the badge?'],
        ['E-mail', 'Where should we send the ticket?'],
      ],
      summary: '{{person}}: {{session}}, {{ticket}}. Ticket to {{email}}.',
      done: 'You are registered! The ticket comes by e-mail.',
    },
    es: {
      name: 'Inscripción a un evento',
      description: 'Inscribe participantes y confirma por correo.',
      segment: 'Eventos',
      task: 'Inscripciones',
      hello: '¡Le damos la bienvenida! Inscribirse toma menos de un minuto.',
      asked: [
        ['Sesión', '¿En qué sesión quiere participar?', ['Apertura', 'Taller de la mañana', 'Taller de la tarde']],
        ['Entrada', '¿Presencial o en línea?', ['Presencial', 'En línea']],
        ['Nombre', '¿Qué nombre va en la credencial?'],
        ['Correo', '¿A qué correo enviamos la entrada?'],
      ],
      summary: '{{person}}: {{session}}, {{ticket}}. Entrada a {{email}}.',
      done: '¡Inscripción lista! La entrada llega a su correo.',
    },
  },
})

/** Asks for the wanted home. */
export const realestate = formTemplate({
  key: 'realestate',
  fields: [
    ['purpose', ''],
    ['rooms', ''],
    ['region', 'Vila Nova'],
    ['budget', ''],
    ['phone', '+55 11 98765-4321'],
  ],
  words: {
    pt: {
      name: 'Busca de imóveis',
      description: 'Entende o imóvel que a pessoa procura e marca o retorno do corretor.',
      segment: 'Imobiliárias',
      task: 'Busca',
      hello: 'Olá! Vamos achar o seu imóvel.',
      asked: [
        ['Finalidade', 'Você quer comprar ou alugar?', ['Comprar', 'Alugar']],
        ['Quartos', 'Com quantos quartos?', ['1', '2', '3', '4 ou mais']],
        ['Região', 'Em qual bairro ou região?'],
        ['Valor', 'Até quanto?', ['Até 2 mil', 'De 2 a 4 mil', 'Acima de 4 mil', 'Ainda não sei']],
        ['Telefone', 'Qual é o seu telefone, com DDD?'],
      ],
      summary: '{{purpose}}: {{rooms}} quarto(s) em {{region}}, {{budget}}.',
      done: 'Pronto! Um corretor liga com as melhores opções.',
    },
    en: {
      name: 'Property search',
      description: 'Finds out what home people look for and has an agent call back.',
      segment: 'Real estate',
      task: 'Search',
      hello: "Hello! Let's find your home.",
      asked: [
        ['Purpose', 'Would you like to buy or to rent?', ['Buy', 'Rent']],
        ['Rooms', 'How many bedrooms?', ['1', '2', '3', '4 or more']],
        ['Region', 'In which area?'],
        ['Budget', 'Up to how much?', ['Up to 1,000', '1,000 to 2,000', 'Above 2,000', 'Not sure yet']],
        ['Phone', 'What is your phone number?'],
      ],
      summary: '{{purpose}}: {{rooms}} bedroom(s) in {{region}}, {{budget}}.',
      done: 'Done! An agent calls you with the best options.',
    },
    es: {
      name: 'Búsqueda de inmuebles',
      description: 'Entiende qué inmueble busca la persona y agenda la llamada de un asesor.',
      segment: 'Inmobiliarias',
      task: 'Búsqueda',
      hello: '¡Hola! Vamos a encontrar su inmueble.',
      asked: [
        ['Finalidad', '¿Quiere comprar o alquilar?', ['Comprar', 'Alquilar']],
        ['Habitaciones', '¿Con cuántas habitaciones?', ['1', '2', '3', '4 o más']],
        ['Zona', '¿En qué barrio o zona?'],
        ['Presupuesto', '¿Hasta cuánto?', ['Hasta 1.000', 'De 1.000 a 2.000', 'Más de 2.000', 'Aún no sé']],
        ['Teléfono', '¿Cuál es su teléfono?'],
      ],
      summary: '{{purpose}}: {{rooms}} habitación(es) en {{region}}, {{budget}}.',
      done: '¡Listo! Un asesor lo llama con las mejores opciones.',
    },
  },
})
