import { Box, chakra, HStack, Kbd, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { OptionRow } from '#web/components/option-row.tsx'
import { type CannedAnswer, valueName } from './canned.ts'

const RouterLink = chakra(Link)

interface Props {
  readonly id: string
  readonly answers: readonly CannedAnswer[]
  readonly total: number
  readonly active: number
  readonly onPoint: (index: number) => void
  readonly onChoose: (answer: CannedAnswer) => void
}

/** Canned answers above the composer; the text keeps the focus and its keys move in the list. */
export const CannedList = ({ id, answers, total, active, onPoint, onChoose }: Props) => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  return (
    <Box className="dk-canned">
      <HStack px="3" py="2" textStyle="secondary" color="fg.muted">
        <Text as="b">{t('canned.title')}</Text>
        {t('canned.count', { shown: answers.length, count: total })}
        {can('createcannedanswer') ? (
          <RouterLink to="/cannedanswer/new" ms="auto" color="accent.fg" fontWeight="semibold">
            {t('canned.new')}
          </RouterLink>
        ) : null}
      </HStack>
      {answers.length === 0 ? (
        <Text px="3" pb="3" textStyle="dense" color="fg.muted">
          {t(total === 0 ? 'canned.none' : 'canned.nothing')}
        </Text>
      ) : (
        <Box id={id} role="listbox" aria-label={t('canned.title')} maxH="240px" overflowY="auto">
          {answers.map((answer, index) => (
            <OptionRow
              key={answer.id}
              list={id}
              index={index}
              active={active}
              onPoint={onPoint}
              onChoose={() => onChoose(answer)}
            >
              <code>/{answer.shortcut}</code>
              <Box as="span" flex="1" minW="0">
                <Text as="span" display="block" lineClamp="2">
                  {answer.text}
                </Text>
                {answer.missing.length === 0 ? null : (
                  <Text as="span" textStyle="secondary" color="warning.fg">
                    {t('canned.missing', { names: answer.missing.map(name => valueName(t, name)).join(', ') })}
                  </Text>
                )}
              </Box>
              {index === active ? <Kbd hideBelow="md">Enter</Kbd> : null}
            </OptionRow>
          ))}
        </Box>
      )}
    </Box>
  )
}
