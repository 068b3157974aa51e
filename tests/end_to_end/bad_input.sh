#!/usr/bin/env bash
# A user's mistakes are reported with their places and remedies, never as a raw exception.   bad_input.sh BIN
source "$(dirname "$0")/common.sh"
variant() { sed "$1" "$here/miniature.trl" >case.trl; }

variant 's/learning_rate = 3e-4/learning_rat = 3e-4/'
wants 1 'case.trl:26:' trl check case.trl
wants 1 'learning_rate' trl check case.trl
variant 's/dropout = 5%/dropout = 5 s/'
wants 1 'case.trl:9:' trl check case.trl
variant 's/level2\[98..100\]/level2[98..120]/'
wants 1 'case.trl:12:' trl check case.trl
variant 's/level2\[98..100\]/level2[3..100]/'
wants 1 'exam_overlap' trl check case.trl
variant 's/adapter = writer/adapter = writter/'
wants 1 'writer' trl check case.trl
wants 1 'nowhere.trl' trl check nowhere.trl
wants 1 'nowhere.trl' trl run nowhere.trl
wants 2 '' trl rnu miniature.trl
wants 2 '' trl run
wants 1 '' trl table "$here/miniature.trl"

# A truncated model.
mkdir broken && cp "$TRL_HOME"/stdlib/windtunnel/* broken/
truncate -s 100000 broken/model.safetensors
variant 's|windtunnel.base|path("broken")|'
wants 1 'model.safetensors' trl run case.trl
echo "every mistake was answered with its place"
