import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { projection } from '#web/api/http.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { notice } from '#web/notice/notice.ts'

const isOfBot = (path: string): boolean => {
  const [, entity = ''] = path.split('/')
  return entity === 'bot' || ENTITY_PLACES.get(entity)?.place.bot !== undefined
}

/** Says that a bot does not run yet with what was just stored of it (C-8.17). */
export const useBotBehind = (): void => {
  const { t } = useTranslation('shell')
  useEffect(() => {
    const tell = (event: Event) => {
      if (event instanceof CustomEvent && isOfBot(String(event.detail)))
        notice.toast(t('botbehind'), { tone: 'danger' })
    }
    projection.addEventListener('behind', tell)
    return () => projection.removeEventListener('behind', tell)
  }, [t])
}
