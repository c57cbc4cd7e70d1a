import { Box, Text } from '@chakra-ui/react'
import { Copy, CornerUpLeft, ExternalLink, FileText, List, MapPin, Phone, Play } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Template, TemplateButton, TemplateCard, TemplateText } from '#domain/template/template.ts'
import { fileUrl } from '#web/api/http.ts'

/** Colours of the app that people read messages in. */
interface ChatColors {
  readonly ground: string
  readonly bubble: string
  readonly text: string
  readonly muted: string
  readonly link: string
  readonly line: string
  readonly empty: string
}

/** As the app shows them in the light and in the dark. */
export const CHAT_COLORS: Readonly<Record<'light' | 'dark', ChatColors>> = {
  light: {
    ground: '#efe7de',
    bubble: '#ffffff',
    text: '#111b21',
    muted: '#5a6a73',
    link: '#0a6c9c',
    line: '#e3e6e8',
    empty: '#e9edef',
  },
  dark: {
    ground: '#0b141a',
    bubble: '#202c33',
    text: '#e9edef',
    muted: '#9aa7b0',
    link: '#53bdeb',
    line: '#313d45',
    empty: '#111b21',
  },
}

const MARKS: Readonly<
  Record<string, { readonly fontWeight?: string; readonly fontStyle?: string; readonly textDecoration?: string }>
> = {
  '*': { fontWeight: 'bold' },
  _: { fontStyle: 'italic' },
  '~': { textDecoration: 'line-through' },
}
const MARKED = /(?<![\p{L}\p{N}*_~])([*_~])(?=\S)([^*_~\n]{1,1024}?)(?<=\S)\1(?![\p{L}\p{N}*_~])/gu

const VARIABLE = /(\{\{[^{}\s]{1,100}\}\})/u

/** Variables that have no example stand out. */
const Words = ({ text }: { readonly text: string }) =>
  text.split(VARIABLE).map((part, at) =>
    VARIABLE.test(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
      <Text key={at} as="span" px="1" borderRadius="3px" style={{ background: '#fbe3bd', color: '#5c3b00' }}>
        {part}
      </Text>
    ) : (
      part
    ),
  )

/** A text with what is marked in it, as the app draws it. */
const Marked = ({ text }: { readonly text: string }) => {
  const parts: ReactNode[] = []
  let at = 0
  for (const { 0: whole, 1: mark = '', 2: inner = '', index } of text.matchAll(MARKED)) {
    parts.push(<Words text={text.slice(at, index)} />)
    parts.push(
      <Text as="span" {...MARKS[mark]}>
        <Words text={inner} />
      </Text>,
    )
    at = index + whole.length
  }
  parts.push(<Words text={text.slice(at)} />)
  return parts.map((part, key) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    <Fragment key={key}>{part}</Fragment>
  ))
}

/** A text with its examples. */
const Filled = ({ given }: { readonly given: TemplateText }) => {
  const parts = given.text.split(VARIABLE)
  const valueFor = (part: string) => given.examples.find(({ name }) => part === `{{${name}}}`)?.value ?? ''
  const whole = parts.map(part => (part.startsWith('{{') && valueFor(part) !== '' ? valueFor(part) : part)).join('')
  return <Marked text={whole} />
}

const ICONS = { QUICK_REPLY: CornerUpLeft, URL: ExternalLink, PHONE_NUMBER: Phone, COPY_CODE: Copy, OTP: Copy } as const

/** The app shows more than three as two and a list. */
const MAX_SHOWN = 3

const ButtonRow = ({
  icon: Icon,
  label,
  colors,
}: {
  readonly icon: typeof List
  readonly label: string
  readonly colors: ChatColors
}) => (
  <Box
    display="flex"
    alignItems="center"
    justifyContent="center"
    gap="1.5"
    py="2"
    px="2"
    borderTopWidth="1px"
    fontSize="13px"
    fontWeight="medium"
    style={{ color: colors.link, borderColor: colors.line }}
  >
    <Icon size={14} aria-hidden="true" style={{ flex: 'none' }} />
    <Text as="span" overflowWrap="anywhere">
      {label}
    </Text>
  </Box>
)

const Buttons = ({ buttons, colors }: { readonly buttons: readonly TemplateButton[]; readonly colors: ChatColors }) => {
  const { t } = useTranslation('entity/template')
  const shown = buttons.length > MAX_SHOWN ? buttons.slice(0, 2) : buttons
  return (
    <>
      {shown.map((button, at) => {
        const label = button.type === 'COPY_CODE' ? t('preview.copy') : button.text
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: buttons of a preview have no identity but their place
          <ButtonRow key={at} icon={ICONS[button.type]} label={label || '…'} colors={colors} />
        )
      })}
      {buttons.length > MAX_SHOWN ? <ButtonRow icon={List} label={t('preview.seeall')} colors={colors} /> : null}
    </>
  )
}

/** An uploaded example, or that there is none. */
const Media = ({
  format,
  file,
  colors,
}: {
  readonly format: string
  readonly file: string | null
  readonly colors: ChatColors
}) => {
  const { t } = useTranslation('entity/template')
  const isPicture = format === 'IMAGE' && file !== null
  if (isPicture)
    return (
      <Box
        h="140px"
        borderRadius="6px"
        bgSize="cover"
        backgroundPosition="center"
        style={{ backgroundImage: `url("${fileUrl('/file/{id}', { params: { id: file } })}")` }}
      />
    )
  const Icon = format === 'LOCATION' ? MapPin : format === 'VIDEO' ? Play : FileText
  const text = format === 'LOCATION' ? t('preview.location') : file === null ? t('preview.media') : ''
  return (
    <Box
      h="96px"
      borderRadius="6px"
      display="grid"
      placeItems="center"
      textAlign="center"
      fontSize="12px"
      style={{ background: colors.empty, color: colors.muted }}
    >
      <Box>
        <Icon size={24} aria-hidden="true" style={{ margin: '0 auto 4px' }} />
        {text}
      </Box>
    </Box>
  )
}

const Head = ({ header, colors }: { readonly header: NonNullable<Template['header']>; readonly colors: ChatColors }) =>
  header.format === 'TEXT' ? (
    <Text fontWeight="bold" mb="1" overflowWrap="anywhere">
      <Filled given={header} />
    </Text>
  ) : (
    <Box mb="1.5">
      <Media format={header.format} file={'handle' in header ? header.handle : null} colors={colors} />
    </Box>
  )

const CODE = '123456'

/** Meta's text for a code. */
const codeText = (
  template: Template,
  t: (key: string, options?: Record<string, string | number>) => string,
): TemplateText => {
  const { addSecurityRecommendation: says } = template
  const text = `*${t('preview.otp', { code: CODE })}*${says ? ` ${t('preview.security')}` : ''}`
  return { text, examples: [] }
}

/** The message itself. */
export const Bubble = ({ template, colors }: { readonly template: Template; readonly colors: ChatColors }) => {
  const { t } = useTranslation('entity/template')
  const { category, header, body, footer, buttons, codeExpirationMinutes: minutes } = template
  const isCode = category === 'AUTHENTICATION'
  const text = isCode ? codeText(template, (key, options) => t(key, options ?? {})) : body
  const foot = isCode ? (minutes === null ? null : t('preview.expires', { minutes })) : footer
  return (
    <Box
      w="88%"
      borderRadius="10px"
      borderTopLeftRadius="2px"
      boxShadow="xs"
      overflow="hidden"
      style={{ background: colors.bubble, color: colors.text }}
    >
      <Box p="2.5" fontSize="14px" lineHeight="1.4">
        {header === null ? null : <Head header={header} colors={colors} />}
        <Text whiteSpace="pre-wrap" overflowWrap="anywhere">
          {text === null || text.text === '' ? '…' : <Filled given={text} />}
        </Text>
        {foot === null ? null : (
          <Text mt="1" fontSize="12px" overflowWrap="anywhere" style={{ color: colors.muted }}>
            {foot}
          </Text>
        )}
        <Text fontSize="11px" textAlign="end" style={{ color: colors.muted }}>
          9:00
        </Text>
      </Box>
      <Buttons buttons={buttons} colors={colors} />
    </Box>
  )
}

const Card = ({ card, colors }: { readonly card: TemplateCard; readonly colors: ChatColors }) => (
  <Box
    flex="none"
    w="78%"
    borderRadius="10px"
    overflow="hidden"
    style={{ background: colors.bubble, color: colors.text }}
  >
    <Box p="1.5">
      <Media format={card.format} file={card.handle} colors={colors} />
    </Box>
    {card.body === null ? null : (
      <Text px="2.5" pb="2" fontSize="13px" whiteSpace="pre-wrap" overflowWrap="anywhere">
        <Filled given={card.body} />
      </Text>
    )}
    <Buttons buttons={card.buttons} colors={colors} />
  </Box>
)

/** Cards side by side, to be moved with a finger or the keyboard. */
export const Cards = ({
  cards,
  colors,
  label,
}: {
  readonly cards: readonly TemplateCard[]
  readonly colors: ChatColors
  readonly label: string
}) =>
  cards.length === 0 ? null : (
    // Scroll areas need keyboard access.
    <Box role="group" aria-label={label} tabIndex={0} display="flex" gap="2" overflowX="auto" pb="1">
      {cards.map((card, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards of a preview have no identity but their place
        <Card key={at} card={card} colors={colors} />
      ))}
    </Box>
  )
