import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { blockOf } from '#schemas/blocks/registry.ts'
import { Chip } from '#web/components/chip.tsx'
import { replayAddress } from '#web/entity/address.ts'
import { FactSection, RedactedValue } from '#web/features/conversation/index.ts'
import { dayOf, secondOf } from '#web/format/time.ts'
import type { DeskChatDetail } from './desk-query.ts'

/** The person, values and path of a chat, and the person's earlier conversations. */
export const ChatFacts = ({ chat }: { readonly chat: DeskChatDetail }) => {
  const { t } = useTranslation(['desk', 'block', 'tool'])
  const { person, tags, facts, path, earlier, conversation, bot } = chat
  return (
    <chakra.aside aria-label={t('facts.title')}>
      <FactSection title={t('facts.person')}>
        <dl>
          <div>
            <dt>{t('facts.name')}</dt>
            <dd>{person}</dd>
          </div>
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
