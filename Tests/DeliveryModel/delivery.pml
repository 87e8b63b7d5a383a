/*
 * Delivery from the journal of an appliance to the database of the collectors, as a model for spin. `run` in this folder
 * checks it.
 *
 *   Appliance ──weighing, health, result──► broker ──► Collector 0 and 1 ──► database
 *       ▲                                                   │
 *       └───────────────── command/resend ◄─────────────────┘
 *
 * For every order of steps, and every combination of up to FAULTS faults, while an appliance records RECORDS weighings:
 *   - what has left the outbox, a broker has accepted;
 *   - only what is in the journal is stored, and each record once;
 *   - each number up to known_sequence is either stored, missing or lost;
 *   - only what the appliance no longer has is lost;
 *   - every execution ends, and at its end the outbox is empty, all records are known, and no gap is open.
 *
 * Numbers are bit masks: a set has bit n - 1 for the sequence number n, and a highest number n is the set 1...n. So the
 * greater of two is their union. The names are those of the code:
 *
 *   sequence               Journal.sequence, which the high-water mark keeps              Journal/Journal+Continuity.swift
 *   weighings, outbox      tables of the journal; one transaction adds to both            Journal/Records/Appender.swift
 *   parked, due            rows of the outbox with parked_ns; those to send again         Journal/Journal+Outbox.swift
 *   session, inFlight      OutboxDelivery.session is set, Session.inFlight                Appliance/Records/OutboxDelivery.swift
 *   queue                  ResendDelivery.queue and what is on its way to it              Appliance/Records/ResendDelivery.swift
 *   active_range, next     ResendDelivery.active: its range, and the rest of it
 *   result_missing         Active.result.missing
 *   active_parked          Active.parked
 *   answer_                a ResendAnswer that the link keeps for the next connection     MQTTLink/Link/SendQueues.swift
 *   published              Publisher.State.published.journalSequence                      Appliance/Running/Publisher.swift
 *   records, health,       Inbox.Batch, with what the broker has for the collector and    Fleet/Collecting/Inbox.swift
 *   report_                what is being stored
 *   stored                 table weighing                                                 Fleet/Database/FleetStore.swift
 *   known_sequence, missing_ranges, lost_ranges                                           columns of the table device
 *   request_due            next_request <= now()
 *
 * What the code relies on:
 *   - All sessions are clean: what a broker has for a client ends with the connection, health is retained.
 *   - libmosquitto acknowledges a message before it is in the inbox. So no acknowledgement of a collector is modelled.
 *   - `saving` and `savingHealth` are one transaction each, under the lock of the row of the device: one step here.
 *
 * What is simplified, so that there are more executions than in reality, or the same:
 *   - Messages to a collector arrive in any order, and records are stored one by one.
 *   - A record is accepted by the broker when it is sent: one that the broker never receives is as if it was not sent.
 *   - A wait ends when nothing else can happen (QUIET); each time that it ends before, counts as a fault.
 *
 * Not in the model: numbers that are assigned twice (the journal, its high-water mark and the retained health are lost
 * together), two journals with one device id, records that PostgreSQL rejects or on which a broker closes the connection,
 * retention. Devices do not share state, so one is enough.
 */

#ifndef RECORDS
#define RECORDS 2
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
/* Requests of another client for all numbers up to RECORDS, with an answer that a collector reads (MQTT 3.1.1). */
#ifndef CLIENT
#define CLIENT 0
#endif
/* Requests that wait at the appliance; further ones are refused as `busy`. */
#define QUEUE ((RECORDS + 1) / 2)

#define ALL ((1 << RECORDS) - 1)
#define LOWEST(set) ((set) & -(set))
/* The numbers below the only one in a set. */
#define BELOW(one) ((one) - 1)
/* The numbers up to the highest one of a set. */
#define UP_TO(set) ((set) | (set) >> 1 | (set) >> 2 | (set) >> 3)
/* The first range of a set. */
#define FIRST_RANGE(set) ((set) & ~((set) + LOWEST(set)))

/* The appliance. */
byte sequence, weighings, outbox, parked, due;
bool session;
byte inFlight;
chan queue = [QUEUE] of { byte };
byte active_range, next, result_missing, active_parked;
#ifndef LAST_AT_END
byte result_last;
#endif
byte answer_missing, answer_last;
byte published;

/* The broker: what it has accepted from the outbox so far, and what it retains. */
byte accepted, retainedHealth;

/* The collectors: what is on its way to them or in their inbox. */
typedef Collecting {
  bool subscribed;
  byte records;
  byte health;
  byte report_missing, report_last;
};
Collecting collector[2];

/* The database. */
byte stored, known_sequence, missing_ranges, lost_ranges;
bool request_due;

byte faults = FAULTS;
byte client = CLIENT;

/* What holds after each transaction of the database, and after each record. */
inline checkDatabase() {
  /* Only what is in the journal is stored. */
  assert((stored & ~sequence) == 0);
  /* Each number up to the highest known one is stored, missing or lost, and only one of them. */
  assert((stored | missing_ranges | lost_ranges) == known_sequence);
  assert((stored & missing_ranges) == 0 && (stored & lost_ranges) == 0 && (missing_ranges & lost_ranges) == 0);
  /* Only what the appliance no longer has is lost. */
  assert((lost_ranges & (weighings | ~sequence)) == 0)
}

/* What holds whenever a connection has ended: what has left the outbox, a broker has accepted. */
inline checkOutbox() {
  assert((weighings & ~outbox & ~accepted) == 0)
}

/* What an execution has reached when nothing is left to do. */
inline checkEnd() {
  /* The outbox is empty, and the tail is known. */
  assert(outbox == 0 && known_sequence == sequence);
  /* Every gap is closed: each record is stored, or the journal has lost it. */
  assert(missing_ranges == 0)
}

/* Whether OutboxDelivery has passed everything waiting or due to the link (`isSent`). */
#define IS_SENT (session && (outbox & ~parked & ~inFlight) == 0 && due == 0)
#define IS_IDLE(c) (collector[c].subscribed && collector[c].records == 0 && collector[c].health == 0 \
  && collector[c].report_last == 0)
/* Nothing is on its way: the wait until a timer is longer than all that could still happen. */
#define QUIET (IS_SENT && inFlight == 0 && published == sequence && active_range == 0 && empty(queue) \
  && answer_last == 0 && IS_IDLE(0) && IS_IDLE(1))

/* Inbox.append, or the queue of the broker: a record may be dropped while another one waits. */
inline append(c, one) {
  if
  :: collector[c].subscribed -> collector[c].records = collector[c].records | (one)
  :: !collector[c].subscribed || collector[c].records != 0
  fi
}

/* Broker: passes a one to the subscribers. It acknowledges it with or without them. */
inline distribute(one) {
#ifdef PLAIN
  append(0, one);
  append(1, one)
#else
  if
  :: collector[0].subscribed || !collector[1].subscribed -> append(0, one)
  :: collector[1].subscribed -> append(1, one)
  fi
#endif
}

/* Publishes an answer; nothing follows if a collector does not receive it, but that it asks again. */
inline publish(missing, last) {
  if
  :: collector[0].subscribed && collector[0].report_last == 0 ->
    collector[0].report_missing = missing; collector[0].report_last = last
  :: else
  fi;
  if
  :: collector[1].subscribed && collector[1].report_last == 0 ->
    collector[1].report_missing = missing; collector[1].report_last = last
  :: else
  fi
}

inline endRequest() {
  active_range = 0; next = 0; result_missing = 0; active_parked = 0;
#ifndef LAST_AT_END
  result_last = 0
#endif
}

/* OutboxDelivery.disconnect, ResendDelivery.disconnect, SendQueues.close. */
inline disconnect() {
  session = false; inFlight = 0; due = 0; published = 0;
  endRequest();
  do :: queue?_ :: empty(queue) -> break od;
  checkOutbox()
}

/* The appliance is killed: its journal remains. */
inline killAppliance() {
  disconnect();
  answer_missing = 0; answer_last = 0
}

inline loseMessages(c) {
  collector[c].records = 0; collector[c].health = 0; collector[c].report_missing = 0; collector[c].report_last = 0
}

inline restartBroker() {
  disconnect();
  collector[0].subscribed = false; loseMessages(0);
  collector[1].subscribed = false; loseMessages(1)
}

/* A request for each range. */
inline ask(missing) {
  range = FIRST_RANGE(missing);
  if :: len(queue) < QUEUE -> queue!range :: else fi;
#if RECORDS > 2
  if
  :: (missing & ~range) != 0 ->
    range = FIRST_RANGE(missing & ~range);
    if :: len(queue) < QUEUE -> queue!range :: else fi
  :: else
  fi;
#endif
  range = 0
}

/* The column next_request has no meaning while nothing is missing. */
inline setRequestDue(isDue) {
  request_due = (missing_ranges != 0 && isDue)
}

/* FleetStore.save(_: [CollectedRecord], at:): one statement. */
inline saveRecord(one) {
#ifdef NO_ON_CONFLICT
  /* Each is stored once. */
  assert((one & stored) == 0);
#endif
  stored = stored | one;
  if :: missing_ranges == 0 || (missing_ranges & one) != 0 -> request_due = false :: else fi;
#ifdef NO_GAPS
  missing_ranges = missing_ranges & ~one;
#else
  missing_ranges = (missing_ranges | (UP_TO(one) & ~known_sequence)) & ~one;
#endif
  known_sequence = known_sequence | UP_TO(one);
  lost_ranges = lost_ranges & ~one;
  setRequestDue(request_due);
  checkDatabase()
}

/* FleetStore.save(health:) */
inline saveHealth(last) {
#ifndef NO_TAIL
  if :: missing_ranges == 0 -> request_due = false :: else fi;
  missing_ranges = missing_ranges | (last & ~known_sequence);
  known_sequence = known_sequence | last;
#endif
  checkDatabase()
}

/* FleetStore.save(_: ResendReport, of:) */
inline saveReport(answered, last) {
#ifdef LOST_ABOVE_LAST
  lost_ranges = lost_ranges | (missing_ranges & answered);
#elif defined(LOST_UNASKED)
  lost_ranges = lost_ranges | (answered & last);
#elif defined(LOST_UP_TO_LAST)
  lost_ranges = lost_ranges | (missing_ranges & last);
#elif defined(IGNORE_REPORT)
#else
  lost_ranges = lost_ranges | (missing_ranges & answered & last);
#endif
  missing_ranges = missing_ranges & ~lost_ranges;
  request_due = false;
  checkDatabase()
}

active proctype Appliance() {
  byte record;
end:
  do
  /* Appender.append: one transaction. */
  :: d_step { sequence != ALL -> /* step record */
      record = sequence + 1;
      sequence = sequence | record; weighings = weighings | record; outbox = outbox | record; record = 0;
      checkDatabase()
    }
#ifdef PUBLISH_BEFORE_COMMIT
  :: atomic { session && sequence != ALL -> record = sequence + 1; distribute(record); record = 0 }
#endif

  /* OutboxDelivery: waiting rows first, then due ones, each in order of the sequence. */
  :: d_step { !session -> /* step connect */
      session = true; due = parked;
#ifdef NO_HEALTH_ON_CONNECTION
      published = sequence
#endif
    }
#ifdef REMOVE_AT_SEND
  :: d_step { session && (outbox & ~inFlight) != 0 ->
      record = LOWEST(outbox & ~inFlight); outbox = outbox & ~record; inFlight = inFlight | record; record = 0
    }
  :: atomic { (inFlight & ~accepted) != 0 ->
      record = LOWEST(inFlight & ~accepted); accepted = accepted | record; distribute(record); record = 0
    }
#else
  :: atomic { session && (outbox & ~parked & ~inFlight) != 0 -> /* step sendWaiting */
      record = LOWEST(outbox & ~parked & ~inFlight); inFlight = inFlight | record;
      accepted = accepted | record; distribute(record); record = 0
    }
#endif
  :: atomic { session && (outbox & ~parked & ~inFlight) == 0 && due != 0 -> /* step sendDue */
      record = LOWEST(due); due = due & ~record; inFlight = inFlight | record;
      accepted = accepted | record; distribute(record); record = 0
    }
  /* Journal.delivered */
  :: d_step { inFlight != 0 -> /* step delivered */
      record = LOWEST(inFlight); inFlight = inFlight & ~record; outbox = outbox & ~record; parked = parked & ~record;
      record = 0
    }
  /* The retry of parked records after 10 minutes. */
  :: d_step { QUIET && parked != 0 -> due = parked } /* step retry */

  /* Publisher: on change, on each connection and from time to time, retained. */
  :: d_step { session && published != sequence -> /* step publishHealth */
      published = sequence; retainedHealth = sequence;
      if :: collector[0].subscribed -> collector[0].health = sequence :: else fi;
      if :: collector[1].subscribed -> collector[1].health = sequence :: else fi
    }
#ifndef HEALTH_ON_CHANGE
  /* From time to time, as far as that changes anything. */
  :: d_step { QUIET && known_sequence != sequence -> published = 0 } /* step repeatHealth */
#endif

  /* ResendDelivery: queued, active, answered. */
  :: d_step { IS_SENT && active_range == 0 && nempty(queue) -> /* step beginRequest */
      queue?active_range; next = active_range; active_parked = parked & active_range;
#ifndef LAST_AT_END
      result_last = sequence
#endif
    }
  :: atomic { IS_SENT && next != 0 ->
      record = LOWEST(next & weighings);
      if
      :: record == 0 -> result_missing = result_missing | next; next = 0 /* step skipMissing */
      :: else ->
        result_missing = result_missing | (next & BELOW(record));
        if
        :: (active_parked & record) == 0 -> distribute(record) /* step resend */
#ifdef PARKED_IS_MISSING
        :: else -> result_missing = result_missing | record
#else
        :: else /* step skipParked */
#endif
        fi;
        next = next & ~(record | BELOW(record))
      fi;
      record = 0
    }
#ifndef LAST_AT_END
#define LAST result_last
#else
#define LAST sequence
#endif
  /* step answer */
  :: d_step { IS_SENT && active_range != 0 && next == 0 -> publish(result_missing, LAST); endRequest() }
  /* The link publishes an answer again that the last connection has lost. */
  :: d_step { session && answer_last != 0 -> /* step answerAgain */
      publish(answer_missing, answer_last); answer_missing = 0; answer_last = 0
    }
  od
}

#define SAVE(one) d_step { (collector[c].records & one) != 0 -> \
    saveRecord(one); collector[c].records = collector[c].records & ~one }

proctype Collector(byte c) {
  byte range;
#ifdef NO_LOCK
  byte known, missing;
#endif
end:
  do
  /* step subscribe */
  :: d_step { !collector[c].subscribed -> collector[c].subscribed = true; collector[c].health = retainedHealth }

  /* Collector.save */
#if defined(SPLIT_TRANSACTION)
  :: collector[c].records != 0 -> d_step {
      known_sequence = known_sequence | UP_TO(collector[c].records);
      missing_ranges = missing_ranges & ~collector[c].records
    };
    d_step { stored = stored | collector[c].records; collector[c].records = 0; checkDatabase() }
#elif defined(NO_LOCK)
  :: d_step { collector[c].records != 0 -> known = known_sequence; missing = missing_ranges };
    d_step {
      stored = stored | collector[c].records; known_sequence = known | UP_TO(collector[c].records);
      missing_ranges = (missing | (UP_TO(collector[c].records) & ~known)) & ~collector[c].records;
      collector[c].records = 0; known = 0; missing = 0; checkDatabase()
    }
#else
  :: SAVE(1) /* step saveRecords */
#if RECORDS > 1
  :: SAVE(2)
#endif
#if RECORDS > 2
  :: SAVE(4)
#endif
#if RECORDS > 3
  :: SAVE(8)
#endif
#endif
  /* steps saveHealth and saveReport */
  :: d_step { collector[c].health != 0 -> saveHealth(collector[c].health); collector[c].health = 0 }
  :: d_step { collector[c].report_last != 0 ->
      saveReport(collector[c].report_missing, collector[c].report_last);
      collector[c].report_missing = 0; collector[c].report_last = 0
    }

#ifndef NEVER_ASK
  /* FleetStore.dueRequests, and the link; `append` of ResendDelivery refuses what is too much. */
  :: d_step { request_due -> /* step ask */
      if
      :: collector[c].subscribed && session -> ask(missing_ranges)
      :: else
      fi;
      request_due = false
    }
#endif
  od
}

/* Times of next_request, and requests of another client. */
active proctype Time() {
#ifdef ASK_ONCE
  bool asked;
#define MAY_ASK !asked
#else
#define MAY_ASK true
#endif
end:
  do
  :: d_step { QUIET && parked == 0 && missing_ranges != 0 && !request_due && MAY_ASK -> /* step askAgain */
      request_due = true;
#ifdef ASK_ONCE
      asked = true
#endif
    }
#if CLIENT
  :: d_step { client > 0 && session && nfull(queue) -> queue!ALL; client-- }
#endif
  od
}

/* Each fault at any time, FAULTS of them in any combination. */
#define FAULT(condition) atomic { faults > 0 && (condition) -> faults--;
/* The connection of a collector ends, with or without messages on their way; it is killed, also between dueRequests and the
   link; the broker delivers a record twice, or the connection to the database ends between COMMIT and its answer; the broker
   drops health for a slow collector, or does not have it after a fail-over. */
/* steps loseCollector and saveTwice */
#define FAULTS_OF(c) \
  :: FAULT(collector[c].subscribed) collector[c].subscribed = false } \
  :: FAULT(collector[c].subscribed) collector[c].subscribed = false; loseMessages(c) } \
  :: FAULT(request_due) request_due = false; collector[c].subscribed = false; loseMessages(c) } \
  :: FAULT(collector[c].records != 0) saveRecord(LOWEST(collector[c].records)) } \
  :: FAULT(collector[c].health != 0) collector[c].health = 0 }

active proctype Fault() {
end:
  do
  /* The connection of the appliance ends, maybe with an answer in the queue of the link. */
  :: FAULT(session) disconnect() } /* step loseConnection */
  /* step loseConnectionWithAnswer */
  :: FAULT(IS_SENT && active_range != 0 && next == 0) answer_missing = result_missing; answer_last = LAST; disconnect() }
  /* The appliance is killed; or it also loses its journal but for a backup, and keeps the high-water mark. */
  :: FAULT(session || answer_last != 0) killAppliance() } /* step killAppliance */
  /* step loseJournal */
  :: FAULT(weighings != 0) killAppliance(); weighings = 0; outbox = 0; parked = 0 }
  :: FAULT((weighings & ~1) != 0) killAppliance(); weighings = weighings & 1; outbox = outbox & 1; parked = parked & 1 }

  /* The broker restarts, and forgets what it retained or not. */
  :: FAULT(true) restartBroker() }
  /* step loseRetained */
  :: FAULT(retainedHealth != 0) restartBroker(); retainedHealth = 0 }
  /* It refuses a record: step refuseRecord. */
  :: FAULT(session && (outbox & ~parked & ~inFlight) != 0) parked = parked | LOWEST(outbox & ~parked & ~inFlight) }

  /* A request is due while something that could fill the gap is still on its way. */
  :: FAULT(missing_ranges != 0 && !request_due) request_due = true }

  FAULTS_OF(0)
  FAULTS_OF(1)
  od
}

init {
  atomic { run Collector(0); run Collector(1) }
  timeout -> checkEnd()
}
