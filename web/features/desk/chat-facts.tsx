import { Box, Button, chakra, HStack } from '@chakra-ui/react'
import { EyeOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Problem } from '#web/api/failure.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { replayAddress } from '#web/entity/address.ts'
import { AskedUntil, AskToSee, FactSection, RedactedValue } from '#web/features/conversation/index.ts'
import { dayOf, secondOf } from '#web/format/time.ts'
import { shownPerson } from './chat-list.tsx'
import type { DeskChatDetail } from './desk-query.ts'

interface HiddenProps {
  readonly id: string
  readonly problem: Problem
  readonly onBack: (() => void) | undefined
}

/** In place of a chat of a colleague that the caller may ask to see. */
export const HiddenChat = ({ id, problem, onBack }: HiddenProps) => {
  const { t } = useTranslation('desk')
  const agent = String(problem.params.agent ?? '')
  return (
    <EmptyState icon={EyeOff} title={t('ask.chattitle', { agent })} text={t('ask.chattext', { agent })} hasHelp={false}>
      <HStack gap="2">
        {onBack === undefined ? null : <Button onClick={onBack}>{t('back')}</Button>}
        <Box textAlign="start">
          <AskToSee conversation={id} title={t('ask.chat')} />
        </Box>
      </HStack>
    </EmptyState>
  )
}

/** The person, values and path of a chat, and the person's earlier conversations. */
export const ChatFacts = ({ chat }: { readonly chat: DeskChatDetail }) => {
  const { t } = useTranslation(['desk', 'block', 'tool'])
  const { number, mayreveal, revealed, tags, facts, path, earlier, conversation, bot } = chat
  return (
    <chakra.aside aria-label={t('facts.title')}>
      <FactSection
        title={t('facts.person')}
        action={mayreveal ? <AskToSee conversation={conversation} title={t('ask.title')} isSmall /> : undefined}
      >
        <dl>
          <div>
            <dt>{t('facts.name')}</dt>
            <dd>{shownPerson(chat)}</dd>
          </div>
          {number === null ? null : (
            <div>
              <dt>{t('facts.number')}</dt>
              <dd>{number.masked ? <RedactedValue kind={number.value} /> : number.value}</dd>
            </div>
          )}
          {tags.length === 0 ? null : (
            <div>
              <dt>{t('facts.tags')}</dt>
              <dd className="dk-tags">
                {tags.map(tag => (
                  <Chip key={tag} h="5">
                    {tag}
                  </Chip>
                ))}
              </dd>
            </div>
          )}
        </dl>
        <AskedUntil revealed={revealed} mt="2" />
      </FactSection>
      {facts.length === 0 ? null : (
        <FactSection title={t('facts.values')}>
          <dl>
            {facts.map(({ name, value, masked }) => (
              <div key={name}>
                <dt title={name}>{name}</dt>
                <dd>{masked ? <RedactedValue kind={t('facts.hidden')} /> : <code>{value}</code>}</dd>
              </div>
            ))}
          </dl>
        </FactSection>
      )}
      {path.length === 0 ? null : (
        <FactSection title={t('facts.path')} action={<Link to={replayAddress(conversation)}>{t('facts.replay')}</Link>}>
          <ol className="cv-path">
            {path.map(({ block, title, time }) => (
              <li key={`${block} ${time}`}>
                {blockOf(title) === undefined ? title : t(`block:type.${title}`)}
                <span>{secondOf(time)}</span>
              </li>
            ))}
          </ol>
        </FactSection>
      )}
      {earlier.length === 0 ? null : (
        <FactSection title={t('facts.earlier')}>
          <dl>
            {earlier.map(({ id, time, title, endreason }) => (
              <div key={id}>
                <dt>{dayOf(time)}</dt>
                <dd>
                  <Link to={`/bot/conversation/${bot}?open=${id}`}>
                    {title === '' ? t('facts.conversation') : title}
                  </Link>
                  {endreason === null ? null : (
                    <chakra.span color="fg.muted">
                      {' '}
                      · {t(`tool:conversation.reason.${endreason}`, { defaultValue: '' })}
                    </chakra.span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </FactSection>
      )}
    </chakra.aside>
  )
}
