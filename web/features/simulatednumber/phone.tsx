import { Box, chakra, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  ArrowLeft,
  Ban,
  CalendarClock,
  Check,
  CheckCheck,
  CircleX,
  Ellipsis,
  Eye,
  FileText,
  Image,
  type LucideIcon,
  MapPin,
  Send,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BodyOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { MessageText } from '#web/components/message-text.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { submits } from '#web/components/submits.ts'
import { minuteOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { NUMBER_KEY, type PersonaPhone, type PhoneMessage, phoneQuery } from './number-query.ts'
import { shownPhone } from './persona-list.tsx'
import { SimulatedChip } from './simulated-chip.tsx'

type PhoneAct = BodyOf<'POST /simulatednumber/{id}/persona/{persona}'>

const TICKS: Readonly<Record<string, LucideIcon>> = {
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: CircleX,
}

/** State of a message of the business, with its word for those who see no icon. */
const Ticks = ({ status }: { readonly status: PhoneMessage['status'] }) => {
  const { t } = useTranslation('simulatednumber')
  const Icon = TICKS[status ?? ''] ?? Check
  const word = t(`status.${status ?? 'waiting'}`)
  const color = status === 'read' ? 'info.fg' : status === 'failed' ? 'danger.fg' : 'fg.muted'
  return (
    <Box as="span" color={color} display="inline-flex" alignItems="center" gap="1">
      {status === null ? null : <Icon size={13} aria-hidden="true" />}
      {word}
    </Box>
  )
}

/** WhatsApp's *bold* in the marks that messages are shown with. */
const shownMarkup = (text: string): string =>
  text.replaceAll(/(?<![\w*])\*(?=\S)([^*\n]{1,1000})(?<=\S)\*(?![\w*])/gu, '**$1**')

const KINDS: Readonly<Record<string, { readonly icon: LucideIcon; readonly word: string }>> = {
  picture: { icon: Image, word: 'phone.pictureshown' },
  place: { icon: MapPin, word: 'phone.placeshown' },
  file: { icon: FileText, word: 'phone.file' },
}

const Content = ({ message }: { readonly message: PhoneMessage }) => {
  const { t } = useTranslation('simulatednumber')
  const { kind, text, header, footer } = message
  const look = KINDS[kind]
  return (
    <>
      {header === null ? null : (
        <Text fontWeight="semibold" mb="1">
          {header}
        </Text>
      )}
      {look === undefined ? null : (
        <HStack gap="1.5" color="fg.muted" textStyle="secondary">
          <look.icon size={14} aria-hidden="true" />
          {t(look.word)}
        </HStack>
      )}
      <Box overflowWrap="anywhere">
        <MessageText text={shownMarkup(text)} />
      </Box>
      {footer === null ? null : (
        <Text textStyle="secondary" color="fg.muted" mt="1">
          {footer}
        </Text>
      )}
    </>
  )
}

interface BubbleProps {
  readonly message: PhoneMessage
  readonly name: string
  readonly isBusy: boolean
  /** Absent: nothing may be pressed. */
  readonly onPress: ((button: number) => void) | undefined
}

const Bubble = ({ message, name, isBusy, onPress }: BubbleProps) => {
  const { t } = useTranslation('simulatednumber')
  const isOwn = message.from === 'persona'
  return (
    <Box alignSelf={isOwn ? 'flex-end' : 'flex-start'} maxW="86%" minW="0">
      <Box
        bg={isOwn ? 'accent.subtle' : 'bg.surface'}
        borderWidth="1px"
        borderRadius="lg"
        borderEndEndRadius={isOwn ? 'xs' : 'lg'}
        borderEndStartRadius={isOwn ? 'lg' : 'xs'}
        px="3"
        py="2"
        textStyle="dense"
      >
        <chakra.span srOnly>{isOwn ? t('phone.persona', { name }) : t('phone.answersto')}</chakra.span>
        <Content message={message} />
        <HStack gap="1.5" justify="flex-end" fontSize="2xs" color="fg.muted" mt="1">
          <span>{minuteOf(message.time)}</span>
          {isOwn ? null : <Ticks status={message.status} />}
        </HStack>
      </Box>
      {message.buttons.length === 0 ? null : (
        <Stack gap="1" mt="1">
          {message.buttons.map((button, place) => (
            <chakra.button
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is what is pressed
              key={place}
              type="button"
              disabled={!button.answers || onPress === undefined || isBusy}
              onClick={() => onPress?.(place)}
              minH={{ base: '11', md: '8' }}
              px="3"
              borderWidth="1px"
              borderRadius="md"
              bg="bg.surface"
              color="accent.fg"
              fontSize="sm"
              fontWeight="semibold"
              cursor="pointer"
              _hover={{ bg: 'bg.subtle' }}
              _disabled={{ cursor: 'default', color: 'fg.muted' }}
              focusVisibleRing="outside"
              title={button.url ?? undefined}
            >
              {button.title}
            </chakra.button>
          ))}
        </Stack>
      )}
    </Box>
  )
}

/** Does something on a phone, and shows what became of it. */
const useAct = (account: string, persona: number) => {
  const { t } = useTranslation('simulatednumber')
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const act = async (body: PhoneAct): Promise<boolean> => {
    setBusy(true)
    try {
      const phone = await http.post('/simulatednumber/{id}/persona/{persona}', {
        params: { id: account, persona },
        body,
      })
      client.setQueryData(phoneQuery(account, persona).queryKey, phone)
      void client.invalidateQueries({ queryKey: [NUMBER_KEY, account], exact: true })
      return true
    } catch (error) {
      notice.toast(failureOf(error, t('phone.failed')), { tone: 'danger' })
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, act }
}

const MAX_TEXT = 4096

const Composer = ({
  name,
  isBusy,
  act,
}: {
  readonly name: string
  readonly isBusy: boolean
  act(body: PhoneAct): Promise<boolean>
}) => {
  const { t } = useTranslation('simulatednumber')
  const [text, setText] = useState('')
  const send = async () => {
    if (text.trim() === '' || !(await act({ do: 'say', text }))) return
    // Later typing stays.
    setText(now => (now.startsWith(text) ? now.slice(text.length).trimStart() : now))
  }
  return (
    <chakra.form
      display="flex"
      alignItems="center"
      gap="1.5"
      p="2"
      borderTopWidth="1px"
      bg="bg.surface"
      onSubmit={submits(send)}
    >
      <IconButton icon={MapPin} label={t('phone.place')} onClick={() => void act({ do: 'place' })} disabled={isBusy} />
      <IconButton
        icon={Image}
        label={t('phone.picture')}
        onClick={() => void act({ do: 'picture' })}
        disabled={isBusy}
      />
      <Input
        flex="1"
        minW="0"
        borderRadius="full"
        maxLength={MAX_TEXT}
        autoComplete="off"
        aria-label={t('phone.write', { name })}
        placeholder={t('phone.write', { name })}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <IconButton icon={Send} label={t('phone.send')} type="submit" variant="solid" disabled={isBusy} />
    </chakra.form>
  )
}

const useMenu = (phone: PersonaPhone, act: (body: PhoneAct) => Promise<boolean>) => {
  const { t } = useTranslation('simulatednumber')
  const item = (what: 'read' | 'wait' | 'block' | 'unblock', icon: LucideIcon) => ({
    id: what,
    icon,
    label: t(`phone.${what}`),
    run: () => void act({ do: what }),
  })
  return [item('read', Eye), item('wait', CalendarClock), phone.blocked ? item('unblock', Check) : item('block', Ban)]
}

interface ShownProps {
  readonly account: string
  readonly phone: PersonaPhone
  onBack(): void
}

const Shown = ({ account, phone, onBack }: ShownProps) => {
  const { t } = useTranslation('simulatednumber')
  const { can, user } = useSession()
  const { isBusy, act } = useAct(account, phone.persona)
  const menu = useMenu(phone, act)
  const mayAct = can('updatemetaaccount') && user.seenby === undefined
  const end = useRef<HTMLDivElement>(null)
  const newest = phone.messages.at(-1)?.id
  useEffect(() => {
    if (newest !== undefined) end.current?.scrollIntoView({ block: 'end' })
  }, [newest])
  const { name } = phone
  return (
    <>
      <HStack px="3" py="2" gap="2" borderBottomWidth="1px" bg="bg.surface">
        <Box display={{ base: 'block', lg: 'none' }}>
          <IconButton icon={ArrowLeft} label={t('phone.back')} onClick={onBack} />
        </Box>
        <Box flex="1" minW="0">
          <HStack gap="2">
            <Text as="h2" textStyle="card" truncate>
              {name}
            </Text>
            <SimulatedChip />
          </HStack>
          <Text textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
            {shownPhone(phone.phone)}
          </Text>
        </Box>
        {mayAct ? (
          <ActionMenu label={t('phone.more', { name })} actions={menu}>
            <IconButton icon={Ellipsis} label={t('phone.more', { name })} />
          </ActionMenu>
        ) : null}
      </HStack>
      <Text textStyle="secondary" color="fg.muted" px="3" py="1.5" borderBottomWidth="1px" role="status">
        {phone.blocked ? t('phone.blockednow', { name }) : t(phone.open ? 'phone.open' : 'phone.closed')}
        {' · '}
        {t(`behaviour.${phone.behaviour}`)}
      </Text>
      <Stack flex="1" minH="0" overflowY="auto" gap="2" p="3" bg="bg.sunken" role="log" aria-label={name}>
        {phone.messages.length === 0 ? (
          <Text m="auto" color="fg.muted" textStyle="dense">
            {t('phone.empty')}
          </Text>
        ) : null}
        {phone.messages.map(message => (
          <Bubble
            key={message.id}
            message={message}
            name={name}
            isBusy={isBusy}
            onPress={mayAct ? button => void act({ do: 'press', message: message.id, button }) : undefined}
          />
        ))}
        <div ref={end} />
      </Stack>
      {mayAct ? <Composer name={name} isBusy={isBusy} act={act} /> : null}
    </>
  )
}

interface Props {
  readonly account: string
  readonly persona: number
  onBack(): void
}

/** The phone of a persona: what arrives, and what its owner does. */
export const Phone = ({ account, persona, onBack }: Props) => {
  const { data, error, refetch } = useQuery(phoneQuery(account, persona))
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  return data === undefined ? <RowsSkeleton /> : <Shown account={account} phone={data} onBack={onBack} />
}
