import { Languages } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useEntityTexts } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { AddCode } from './add-code.tsx'
import { MessageFilter } from './message-filter.tsx'
import { MessageMatrix } from './message-matrix.tsx'

/** The list of locale messages, which can also be shown with a column for each language. */
export const MessageListPage = () => {
  useEntityTexts(['localemessage', 'botspecificlocalemessage'])
  const { t } = useTranslation('entity/localemessage')
  return (
    <EntityListPage
      matrix={{
        label: t('matrix.view'),
        icon: Languages,
        // A bot's messages are a matrix within one bot.
        isOffered: ({ entity, fixed }) => entity.name === 'localemessage' || fixed.bot !== undefined,
        filter: place => <MessageFilter place={place} />,
        action: place => <AddCode place={place} />,
        content: (place, control) => <MessageMatrix place={place} control={control} />,
      }}
    />
  )
}
